import { isIP } from "node:net";
import { addressMatcher } from "./client-address.js";
import { lazy } from "./memo.js";

/**
 * Where a bundle is published. Offprint's own code in a bundle requests nothing but the assistant that the caller names, once
 * a reader asks, and the service that counts views, if the caller names one. An `air-gapped` bundle embeds files of other
 * hosts. For it, an assistant or a service outside of the closed network is an error, and so is everything that the site's
 * content still loads from another host, since readers would not see it.
 */
export type Deployment = "cloud" | "client-hosted" | "air-gapped";
export const deployments = ["cloud", "client-hosted", "air-gapped"] as const satisfies readonly Deployment[];

/** Whether a deployment has a feature, and which setting decides that. */
export interface Availability {
  readonly state: "yes" | "configurable" | "no";
  /** The setting that turns it on or off. */
  readonly setting?: string;
  /** The state without the setting. */
  readonly byDefault?: string;
}

export interface Feature {
  readonly title: string;
  /** Explains the feature's special cases. */
  readonly about: string;
  readonly in: Readonly<Record<Deployment, Availability>>;
}

const yes: Availability = { state: "yes" };
const no: Availability = { state: "no" };
const assistant = { setting: "--assistant-url, OFFPRINT_PAGE_ASSISTANT_KEY", byDefault: "off" };
const analytics = { setting: "--analytics-url, counting of the site", byDefault: "off" };

/** The features of each deployment. The export, the service, the command line and the handbook use this table. */
export const features = {
  search: {
    title: "Documentation search",
    about:
      "The index is in the bundle, so search works in every deployment without a server. A service also searches, for its assistant.",
    in: { cloud: yes, "client-hosted": yes, "air-gapped": yes },
  },
  assistant: {
    title: "AI assistant",
    about:
      "An air-gapped bundle can use an assistant only at an address inside the closed network. Any other address is an error.",
    in: {
      cloud: { state: "yes", ...assistant },
      "client-hosted": { state: "configurable", ...assistant },
      "air-gapped": no,
    },
  },
  analytics: {
    title: "Web analytics",
    about:
      "An air-gapped bundle can report views only to an address inside the closed network. No bundle loads scripts of other services.",
    in: {
      cloud: { state: "yes", ...analytics },
      "client-hosted": { state: "configurable", ...analytics },
      "air-gapped": no,
    },
  },
  playground: {
    title: "API playground",
    about: "Requests go to the servers that the specification names, which may be in the closed network.",
    in: {
      cloud: yes,
      "client-hosted": yes,
      "air-gapped": { state: "configurable", setting: "api.playground.display", byDefault: "interactive" },
    },
  },
  bundle: {
    title: "Static export bundle",
    about: "A folder or an archive of plain files.",
    in: { cloud: yes, "client-hosted": yes, "air-gapped": yes },
  },
} as const satisfies Readonly<Record<string, Feature>>;

/** Addresses of this machine and of private networks. */
const isPrivate = lazy(() =>
  addressMatcher(
    "10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 ::1 fc00::/7 fe80::/10".split(
      " ",
    ),
  ),
);

/** Host names that public name servers do not resolve, and names without a domain. */
const privateName = /^[^.]+$|\.(?:internal|local|localhost|home\.arpa|intranet|lan|corp|private)$/;

/** Whether readers of a closed network reach an address: a private one, or one of the host of `baseUrl`. */
export function isInside(url: string, baseUrl: string | undefined): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isPrivate()(host);
  return privateName.test(host) || (baseUrl !== undefined && new URL(baseUrl).hostname === host);
}
