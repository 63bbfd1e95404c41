import { fieldsOf } from "../../lib/json/index.js";

/** `none`: a branch is pushed, and somebody opens the pull request. */
export type ForgeKind = "github" | "gitlab" | "gitea" | "none";

/** What the operator knows of a host. */
export interface ForgeSettings {
  readonly kind: ForgeKind;
  /** May push branches and open pull requests; a secret. */
  readonly token: string;
  /** Without the slash at the end. Default: where the kind of forge has it. */
  readonly api: string;
}

/** By host, with its port if it has one. */
export type Forges = ReadonlyMap<string, ForgeSettings>;

export interface Repository {
  /** `https://git.example.com/docs/site`, without credentials. */
  readonly webUrl: string;
  /** With `/` between names: `docs/site`. */
  readonly path: string;
  readonly host: string;
}

/** Address of the API of each kind, and the hosts whose kind is known. */
const kinds: Readonly<Record<ForgeKind, { api(host: string): string; readonly hosts: readonly string[] }>> = {
  github: {
    api: (host) => (host === "github.com" ? "https://api.github.com" : `https://${host}/api/v3`),
    hosts: ["github.com"],
  },
  gitlab: { api: (host) => `https://${host}/api/v4`, hosts: ["gitlab.com"] },
  gitea: { api: (host) => `https://${host}/api/v1`, hosts: ["codeberg.org"] },
  none: { api: () => "", hosts: [] },
};
const kindNames = Object.keys(kinds) as readonly ForgeKind[];

/** The repository's address on the web, and the settings of its host, if the operator has given any. */
export function forgeOf(url: string, forges: Forges): { repository: Repository; settings: ForgeSettings | undefined } {
  const { protocol, host, hostname, pathname } = new URL(url);
  const path = pathname.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  // The port of ssh is not that of the web.
  const webHost = protocol === "https:" ? host : hostname;
  return {
    repository: { webUrl: `https://${webHost}/${path}`, path, host: webHost },
    settings: protocol === "file:" ? undefined : forges.get(webHost),
  };
}

/**
 * Reads the operator's file: `{"git.example.com": {"token": "…", "kind": "gitea", "api": "https://…"}}`. `kind` may be
 * left out for hosts that are known, `api` always.
 *
 * @throws {Error} that says what is wrong, without the tokens.
 */
export function readForges(text: string): Forges {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  if (typeof written !== "object" || written === null || Array.isArray(written))
    throw new Error("it is not an object with an entry for each host");
  return new Map(Object.entries(written).map(([host, entry]) => [host.toLowerCase(), settingsOf(host, entry)]));
}

function settingsOf(host: string, written: unknown): ForgeSettings {
  if (!URL.canParse(`https://${host}`) || new URL(`https://${host}`).host !== host.toLowerCase())
    throw new Error(`"${host}" is not a host, such as git.example.com`);
  const { token, kind = kindNames.find((each) => kinds[each].hosts.includes(host)), api, ...rest } = fieldsOf(written);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new Error(`"${unknown}" of ${host} is unknown; an entry has token, kind and api`);
  if (typeof token !== "string" || !/^[!-~]+$/.test(token))
    throw new Error(`the token of ${host} is missing, or is not one line of visible ASCII characters`);
  if (!kindNames.includes(kind as ForgeKind)) throw new Error(`the kind of ${host} is one of ${kindNames.join(", ")}`);
  if (api !== undefined && (typeof api !== "string" || !/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(api)))
    throw new Error(`the api of ${host} is an address, such as https://${host}/api/v1`);
  const known = kind as ForgeKind;
  return { kind: known, token, api: (api ?? kinds[known].api(host)).replace(/\/+$/, "") };
}
