import { createPrivateKey } from "node:crypto";
import { type Fields, fieldsOf, isRecord, valueOfJson } from "../../../lib/json/index.js";
import { parsePrefix } from "../checkout/index.js";

export const forgeKinds = ["github", "gitlab", "gitea", "none"] as const;
/** `none`: a branch is pushed, and a person opens the pull request. */
export type ForgeKind = (typeof forgeKinds)[number];

/** The software of a host, and the address of its API. */
export interface ForgeHost {
  readonly kind: ForgeKind;
  /** Without the slash at the end. */
  readonly api: string;
  /** Whether the operator has configured the host, which then may be in a private network. */
  readonly isOperators: boolean;
}

export interface ForgeSettings extends ForgeHost {
  /** May push branches and open pull requests; a secret. */
  readonly token: string;
}

/** An app of GitHub, which gets tokens for an hour. */
export interface GitHubApp {
  readonly id: string;
  /** PEM; a secret. */
  readonly privateKey: string;
  /** Lets people prove that an installation is theirs. */
  readonly oauth?: { readonly clientId: string; readonly clientSecret: string };
}

/** The operator's settings for a host, or for the repositories below a prefix. */
export interface ForgeEntry extends Pick<ForgeHost, "kind" | "api"> {
  /** As the file has it. */
  readonly key: string;
  /** `https://git.example.com/`, or with a path. */
  readonly prefix: string;
  /** For git and the API; a secret. */
  readonly token?: string;
  readonly app?: GitHubApp;
  /** Names of the organizations that the token or the app may be used for. */
  readonly organizations?: readonly string[];
}

export type Forges = readonly ForgeEntry[];

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

/** The repository's address on the web. */
export function repositoryOf(url: string): Repository {
  const { protocol, host, hostname, pathname } = new URL(url);
  const path = pathname.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  // The port of ssh is not that of the web.
  const webHost = protocol === "https:" ? host : hostname;
  return { webUrl: `https://${webHost}/${path}`, path, host: webHost };
}

/** The software of a host: as configured, well known, or named by a credential's owner. */
export function forgeHost(host: string, forges: Forges, kind?: ForgeKind): ForgeHost | undefined {
  const entry = forges.find(({ prefix }) => new URL(prefix).host === host);
  if (entry) return { kind: entry.kind, api: entry.api, isOperators: true };
  const knownKind = forgeKinds.find((each) => kinds[each].hosts.includes(host)) ?? kind;
  return knownKind && { kind: knownKind, api: kinds[knownKind].api(host), isOperators: false };
}

/**
 * Reads the operator's file: `{"git.example.com": {"token": "…", "organizations": ["acme"], "kind": "gitea"}}`. A key
 * is a host, or a prefix such as `https://github.com/acme/`. `kind` may be left out for hosts that are known, `api`
 * always; an entry without `token` and `app` says only what the host is. In place of `token`, GitHub may have `"app":
 * {"id": "…", "privateKeyFile": "…"}`.
 *
 * @param readFile reads a file with a private key or a client secret.
 * @throws {Error} that says what is wrong, without the tokens.
 */
export function readForges(text: string, readFile: (path: string) => string): Forges {
  const written = valueOfJson(text);
  if (written === undefined) throw new Error("it is not JSON");
  if (!isRecord(written)) throw new Error("it is not an object with an entry for each host");
  return Object.entries(written).map(([key, entry]) => entryOf(key, entry, readFile));
}

function entryOf(key: string, written: unknown, readFile: (path: string) => string): ForgeEntry {
  const prefix = prefixOf(key);
  const { host } = new URL(prefix);
  const fields = fieldsOf(written);
  const knownKind = forgeKinds.find((each) => kinds[each].hosts.includes(host));
  const { token, app, organizations, kind = knownKind, api, ...rest } = fields;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new Error(`"${unknown}" of ${key} is unknown; an entry can have token or app, organizations, kind and api`);
  if (token !== undefined && (typeof token !== "string" || !/^[!-~]+$/.test(token)))
    throw new Error(`the token of ${key} is not one line of visible ASCII characters`);
  if (!forgeKinds.includes(kind as ForgeKind))
    throw new Error(`the kind of ${key} must be one of ${forgeKinds.join(", ")}`);
  if (api !== undefined && (typeof api !== "string" || !/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(api)))
    throw new Error(`the api of ${key} must be a URL, such as https://${host}/api/v1`);
  const isList = Array.isArray(organizations) && organizations.every((each) => typeof each === "string");
  if (organizations !== undefined && !isList)
    throw new Error(`the organizations of ${key} must be a list of names, such as ["acme"]`);
  return {
    key,
    prefix,
    kind: kind as ForgeKind,
    api: ((api as string | undefined) ?? kinds[kind as ForgeKind].api(host)).replace(/\/+$/, ""),
    ...(isList && { organizations: organizations as string[] }),
    ...(app === undefined
      ? token !== undefined && { token: token as string }
      : { app: appOf(key, { ...fields, kind }, readFile) }),
  };
}

function prefixOf(key: string): string {
  const host = key.toLowerCase();
  if (URL.canParse(`https://${host}`) && new URL(`https://${host}`).host === host) return `https://${host}/`;
  try {
    const prefix = parsePrefix(key);
    if (prefix.startsWith("https:")) return prefix;
  } catch {
    // It is neither of the two.
  }
  throw new Error(
    `"${key}" is neither a host, such as git.example.com, nor a prefix, such as https://github.com/acme/`,
  );
}

function appOf(
  key: string,
  { app, token, kind, organizations }: Fields,
  readFile: (path: string) => string,
): GitHubApp {
  const { id, privateKeyFile, clientId, clientSecretFile, ...rest } = fieldsOf(app);
  const isWritten = /^[\w.-]+$/.test(String(id)) && ["string", "number"].includes(typeof id);
  if (
    kind !== "github" ||
    token !== undefined ||
    !isWritten ||
    typeof privateKeyFile !== "string" ||
    Object.keys(rest).length > 0
  )
    throw new Error(
      `the app of ${key} must have an id and a privateKeyFile; the entry must not have a token or another kind than github`,
    );
  if (organizations !== undefined && new URL(prefixOf(key)).pathname === "/")
    throw new Error(
      `the app of ${key} is used by its installations: leave organizations out, or write the account, such as https://${key}/acme/`,
    );
  const privateKey = readFile(privateKeyFile);
  try {
    if (createPrivateKey(privateKey).asymmetricKeyType !== "rsa") throw new Error("another kind of key");
  } catch {
    throw new Error(`the privateKeyFile of ${key} does not contain an RSA key in PEM format`);
  }
  if (clientId === undefined && clientSecretFile === undefined) return { id: String(id), privateKey };
  if (typeof clientId !== "string" || typeof clientSecretFile !== "string")
    throw new Error(`the app of ${key} must have both a clientId and a clientSecretFile, or neither`);
  const clientSecret = readFile(clientSecretFile).trim();
  return { id: String(id), privateKey, oauth: { clientId, clientSecret } };
}
