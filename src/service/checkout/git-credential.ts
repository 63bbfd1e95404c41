/** What opens one repository. `prefix` is the address it may be sent to: https://github.com/acme/ or ssh://git@host/team/ ; it ends with "/" . */
export type GitCredential =
  | { readonly kind: "token"; readonly prefix: string; readonly user: string; readonly token: string }
  | { readonly kind: "ssh-key"; readonly prefix: string; readonly privateKey: string; readonly knownHosts?: string };

/**
 * Whether an address has the prefix's protocol, user, host and port, and its path begins with all segments of the prefix.
 * A repository may be written with and without `.git`. Servers differ in what an encoded dot or slash means, so an address
 * with one is below nothing.
 */
export function isBelowPrefix(url: string | URL, prefix: string): boolean {
  if (!URL.canParse(url)) return false;
  const [at, below] = [new URL(url), new URL(prefix)];
  const same = (["protocol", "username", "password", "host"] as const).every((part) => at[part] === below[part]);
  const path = at.pathname.replace(/\/+$/, "");
  if (!same || /%(2e|2f|5c)|\/\//i.test(path)) return false;
  return [path, path.replace(/\.git$/, "")].some((each) => `${each}/`.startsWith(below.pathname));
}

/**
 * The prefix that somebody has written, in its normal form, with "/" at its end.
 *
 * @throws {Error} that says what is wrong and what to write.
 */
export function parsePrefix(text: string): string {
  const written = text.trim();
  const example = "Write it like https://github.com/acme/ or ssh://git@git.example.com/team/.";
  if (!URL.canParse(written) || /[\s\\]/.test(written)) throw new Error(`The prefix is not an address. ${example}`);
  const url = new URL(written);
  if (url.protocol !== "https:" && url.protocol !== "ssh:")
    throw new Error(`The prefix begins with https:// or ssh://, not ${url.protocol}//. ${example}`);
  if (url.password !== "" || (url.username !== "" && url.protocol === "https:"))
    throw new Error(`The prefix holds a user name or a password: leave it out. ${example}`);
  if (url.search !== "" || url.hash !== "" || url.hostname === "" || /%|\/\//.test(url.pathname))
    throw new Error(`The prefix is a host and a path without "?", "#", "%" and empty parts. ${example}`);
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

/** The address of all repositories of an owner: https://github.com/acme/ of https://github.com/acme/docs.git. */
export const ownerPrefix = (url: string | URL): string =>
  new URL(/^\/[^/]+\/(?=.)/.exec(new URL(url).pathname)?.[0] ?? "/", url).href;
