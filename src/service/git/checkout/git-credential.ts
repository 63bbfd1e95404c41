import { SourceFault } from "./git-source.js";

/**
 * What opens one repository. `prefix` is the address it may be sent to: https://github.com/acme/ or
 * ssh://git@host/team/ ; it ends with "/" .
 */
export type GitCredential =
  | { readonly kind: "token"; readonly prefix: string; readonly user: string; readonly token: string }
  | { readonly kind: "ssh-key"; readonly prefix: string; readonly privateKey: string; readonly knownHosts?: string };

/**
 * Validates the address that a credential may be sent to, and returns it as URLs write it: with a lower-case host,
 * without the protocol's own port, with one "/" at the end.
 *
 * @throws {SourceFault} with a sentence for API clients.
 */
export function parsePrefix(text: string): string {
  const url = URL.canParse(text) && !/[\s\\]/.test(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "ssh:")
    throw refused("start it with https:// or ssh://, such as https://git.example.com/team/");
  if (url.password !== "" || (url.username !== "" && url.protocol === "https:"))
    throw refused("remove the user name and password; only ssh:// can have a user name");
  if (url.search !== "" || url.hash !== "") throw refused("remove the query and the fragment");
  if (url.hostname === "") throw refused("write the host after the protocol");
  const path = segmentsOf(url);
  // URL has already resolved "..", so look for it in the text: the prefix would not be the one that was written.
  if (path === undefined || /\/(\.|%2e){1,2}(\/|$)/i.test(text))
    throw refused('write its path without "..", empty segments or needless percent-encoding');
  return `${authorityOf(url)}/${path.map((segment) => `${encodeURIComponent(segment)}/`).join("")}`;
}

const refused = (why: string): SourceFault => new SourceFault(`The prefix of the credential is invalid: ${why}.`);

/**
 * Whether a repository is at a prefix or below it: same protocol, user, host and port, and the prefix's path segments
 * are the first ones of the repository's, whose last one may end with `.git`. False for addresses that servers could
 * read in two ways.
 */
export function isBelowPrefix(url: string | URL, prefix: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(prefix) || !prefix.endsWith("/")) return false;
  const [repository, allowed] = [new URL(url), new URL(prefix)];
  const [path, allowedPath] = [segmentsOf(repository), segmentsOf(allowed)];
  if (path === undefined || allowedPath === undefined || /[?#]/.test(`${url}${prefix}`)) return false;
  const last = path.length - 1;
  const isSame = (segment: string, index: number): boolean =>
    segment === path[index] || (index === last && `${segment}.git` === path[index]);
  return authorityOf(repository) === authorityOf(allowed) && allowedPath.every(isSame);
}

/** `ssh://git@host:2222`. URL lower-cases hosts and drops the usual port only of the web's protocols. */
function authorityOf({ protocol, username, password, hostname, port }: URL): string {
  const user = username === "" && password === "" ? "" : `${username}${password && `:${password}`}@`;
  const isUsual = port === "" || (protocol === "ssh:" && port === "22");
  return `${protocol}//${user}${hostname.toLowerCase()}${isUsual ? "" : `:${port}`}`;
}

/** Decoded parts of the path, without a "/" at its end. Undefined if one could be taken for another path. */
function segmentsOf({ pathname }: URL): string[] | undefined {
  const path = pathname.replace(/^\//, "").replace(/\/$/, "");
  if (path === "") return [];
  try {
    const segments = path.split("/").map(decodeURIComponent);
    return segments.some((segment) => /^\.{0,2}$|[/\\%;\p{Cc}]/u.test(segment)) ? undefined : segments;
  } catch {
    return undefined;
  }
}

/** The address of all repositories of an owner: https://github.com/acme/ of https://github.com/acme/docs.git. */
export const ownerPrefix = (url: string | URL): string =>
  new URL(/^\/[^/]+\/(?=.)/.exec(new URL(url).pathname)?.[0] ?? "/", url).href;
