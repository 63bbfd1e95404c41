import type { SiteSource } from "../../jobs/index.js";

export type WrittenGitSource = Extract<SiteSource, { kind: "git" }>;

/** A validated git source: git, ssh and the file system cannot misinterpret any part of it. */
export interface GitSource {
  readonly url: URL;
  /** `HEAD` by default. */
  readonly ref: string;
  readonly subfolder?: string;
}

/** Validates a git source. @param version replaces its ref. @throws {SourceFault} with the expected form. */
export function parseGitSource(written: WrittenGitSource, version?: string): GitSource {
  const url = parseUrl(written.url);
  const ref = version ?? written.ref ?? "HEAD";
  if (!isRef(ref)) throw refused(`"${shown(ref)}" is not a valid branch, tag or commit name.`);
  const { subfolder } = written;
  if (subfolder === undefined || subfolder === "") return { url, ref };
  if (!isSubfolder(subfolder))
    throw refused(
      `The subfolder "${shown(subfolder)}" is not a path inside the repository. Write it like "docs/site", without a slash at either end.`,
    );
  return { url, ref, subfolder };
}

/**
 * Calls `use` with a source, and once more with ".git" at the end of its address if the host redirects from it. With a
 * credential git follows no redirect, and many hosts redirect from the one spelling of a repository to the other.
 *
 * Fails: throws the fault of the first call, unless the second one may succeed later.
 */
export async function inEitherSpelling<T>(
  source: WrittenGitSource,
  use: (source: WrittenGitSource) => Promise<T>,
): Promise<T> {
  try {
    return await use(source);
  } catch (fault) {
    if (!(fault instanceof SourceFault && fault.isRedirect) || /\.git\/*$/.test(source.url)) throw fault;
    return use({ ...source, url: `${source.url.replace(/\/+$/, "")}.git` }).catch((second: unknown) => {
      throw second instanceof SourceFault && !second.retry ? fault : second;
    });
  }
}

const refused = (message: string): SourceFault => new SourceFault(message);
const shown = (text: string): string => JSON.stringify(text.slice(0, 100)).slice(1, -1);

function parseUrl(written: string): URL {
  if (!URL.canParse(written) || /[\s\\]/.test(written))
    throw refused("The repository's URL is invalid. Write it like https://git.example.com/docs.git.");
  const url = new URL(written);
  const { protocol, hostname, username, password, pathname, search, hash } = url;
  if (!["https:", "ssh:", "file:"].includes(protocol))
    throw refused(`A repository's URL must start with https://, ssh:// or file://, not ${protocol}//.`);
  if (password !== "" || (username !== "" && protocol !== "ssh:"))
    throw refused(
      "The repository's URL contains a user name or password. Remove it, and add a credential to the service instead.",
    );
  if (search !== "" || hash !== "") throw refused("The repository's URL has a query or fragment. Remove it.");
  // The host must not look like an option of ssh.
  const isHost =
    protocol === "file:" ? hostname === "" : /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?)$/i.test(hostname);
  if (!isHost || !/^[\w.-]*$/.test(username) || username.startsWith("-") || /^\/*(-|$)/.test(pathname))
    throw refused("The repository's URL has no host, or no path that git can use.");
  return url;
}

/** The rules of `git check-ref-format`; nothing that starts like an option or a forced update. */
export function isRef(text: string): boolean {
  if (text === "" || text.length > 250 || text === "@" || /^[-+]/.test(text)) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\.$/u.test(text)) return false;
  return text.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

function isSubfolder(text: string): boolean {
  if (text.length > 1000 || /[\p{Cc}\\]/u.test(text)) return false;
  return text.split("/").every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()));
}

/** Why a site's source could not be opened. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
  readonly ofWorker: boolean;
  readonly isRedirect: boolean;
  readonly isMissingRef: boolean;
  /**
   * @param message for API clients: names host and ref, but no path of this machine and no credential.
   * @param retry whether another attempt may succeed.
   * @param options `cause` is for the log: the output of git without credentials. `ofWorker`: the operator must act,
   *   not the owner of the site. `isRedirect`: the host names another address. `isMissingRef`: the repository has no
   *   branch, tag or commit of that name.
   */
  constructor(
    message: string,
    readonly retry = false,
    options: ErrorOptions & { readonly [fact in "ofWorker" | "isRedirect" | "isMissingRef"]?: boolean } = {},
  ) {
    super(message, options);
    this.ofWorker = options.ofWorker ?? false;
    this.isRedirect = options.isRedirect ?? false;
    this.isMissingRef = options.isMissingRef ?? false;
  }
}
