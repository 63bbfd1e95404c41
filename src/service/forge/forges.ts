import { createPrivateKey } from "node:crypto";
import { type Fields, fieldsOf } from "../../lib/json/index.js";

/** `none`: a branch is pushed, and somebody opens the pull request. */
export type ForgeKind = "github" | "gitlab" | "gitea" | "none";

/** How a host is used. */
export interface ForgeSettings {
  readonly kind: ForgeKind;
  /** May push branches and open pull requests; a secret. */
  readonly token: string;
  /** Without the slash at the end. Default: where the kind of forge has it. */
  readonly api: string;
}

/** An app of GitHub, which gets tokens for an hour. */
export interface GitHubApp {
  readonly id: string;
  /** PEM; a secret. */
  readonly privateKey: string;
}

/** What the operator knows of a host. */
export type ForgeEntry =
  | (ForgeSettings & { readonly app?: undefined })
  | (Omit<ForgeSettings, "token"> & { readonly app: GitHubApp; readonly token?: undefined });

/** By host, with its port if it has one. */
export type Forges = ReadonlyMap<string, ForgeEntry>;

/** What must not leave the service. */
export const secretsOfForge = ({ token, app }: ForgeEntry): string =>
  token ?? app.privateKey.replaceAll(/-----[^-]+-----|\s/g, "");

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
export function forgeOf(url: string, forges: Forges): { repository: Repository; settings: ForgeEntry | undefined } {
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
 * left out for hosts that are known, `api` always. In place of `token`, GitHub may have
 * `"app": {"id": "…", "privateKeyFile": "…"}`.
 *
 * @param readKey reads a file with a private key.
 * @throws {Error} that says what is wrong, without the tokens.
 */
export function readForges(text: string, readKey: (path: string) => string): Forges {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  if (typeof written !== "object" || written === null || Array.isArray(written))
    throw new Error("it is not an object with an entry for each host");
  return new Map(Object.entries(written).map(([host, entry]) => [host.toLowerCase(), entryOf(host, entry, readKey)]));
}

function entryOf(host: string, written: unknown, readKey: (path: string) => string): ForgeEntry {
  if (!URL.canParse(`https://${host}`) || new URL(`https://${host}`).host !== host.toLowerCase())
    throw new Error(`"${host}" is not a host, such as git.example.com`);
  const fields = fieldsOf(written);
  const { token, app, kind = kindNames.find((each) => kinds[each].hosts.includes(host)), api, ...rest } = fields;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new Error(`"${unknown}" of ${host} is unknown; an entry has token or app, kind and api`);
  if (app === undefined && (typeof token !== "string" || !/^[!-~]+$/.test(token)))
    throw new Error(`the token of ${host} is missing, or is not one line of visible ASCII characters`);
  if (!kindNames.includes(kind as ForgeKind)) throw new Error(`the kind of ${host} is one of ${kindNames.join(", ")}`);
  if (api !== undefined && (typeof api !== "string" || !/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(api)))
    throw new Error(`the api of ${host} is an address, such as https://${host}/api/v1`);
  const known = kind as ForgeKind;
  const settings = { kind: known, api: ((api as string | undefined) ?? kinds[known].api(host)).replace(/\/+$/, "") };
  return app === undefined
    ? { ...settings, token: token as string }
    : { ...settings, app: appOf(host, { ...fields, kind }, readKey) };
}

function appOf(host: string, { app, token, kind }: Fields, readKey: (path: string) => string): GitHubApp {
  const { id, privateKeyFile, ...rest } = fieldsOf(app);
  const isWritten = /^[\w.-]+$/.test(String(id)) && ["string", "number"].includes(typeof id);
  if (
    kind !== "github" ||
    token !== undefined ||
    !isWritten ||
    typeof privateKeyFile !== "string" ||
    Object.keys(rest).length > 0
  )
    throw new Error(`the app of ${host} has an id and a privateKeyFile, no token, and is of kind github`);
  const privateKey = readKey(privateKeyFile);
  try {
    if (createPrivateKey(privateKey).asymmetricKeyType !== "rsa") throw new Error("another kind of key");
  } catch {
    throw new Error(`the privateKeyFile of ${host} holds no RSA key in PEM`);
  }
  return { id: String(id), privateKey };
}
