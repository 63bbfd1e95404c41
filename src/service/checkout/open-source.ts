import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { SiteSource } from "../jobs/index.js";
import { checkoutGit } from "./checkout-git.js";
import type { Environment } from "./git-environment.js";
import { parseGitSource } from "./git-source.js";
import { SourceFault } from "./source-fault.js";

export interface OpenedSource {
  /** Absolute path of the site's folder. */
  readonly folder: string;
  /** The commit, of a git source. */
  readonly revision?: string;
  /** Removes what was written; a folder that is a source itself stays. */
  remove(): Promise<void>;
}

export interface SourceLimits {
  /** For everything that git does, in milliseconds. */
  readonly fetchTimeoutMs: number;
  /** Of what is fetched and of the files written from it, together. */
  readonly maxSourceBytes: number;
}
export const sourceLimitDefaults: SourceLimits = {
  fetchTimeoutMs: 5 * 60_000,
  maxSourceBytes: 4 * 1024 * 1024 * 1024,
};

export interface OpenSourceOptions extends Partial<SourceLimits> {
  /** Tag, branch or commit, in place of the one that the source names. */
  readonly version?: string;
  /** Where a repository's files may be written. */
  readonly workFolder: string;
  /** Keeps what repositories have sent, so that the next fetch is short; may be removed at any time. */
  readonly cacheFolder?: string;
  readonly signal?: AbortSignal;
  /** Holds tokens for git hosts: see `gitEnvironment`. */
  readonly environment?: Environment;
}

/**
 * Puts the files of a site where they can be read: a folder is used where it lies, of a repository one commit is fetched.
 *
 * Fails: throws a `SourceFault`, whose message is for the reader of the job.
 * Stops: once `signal` aborts, rejects with its reason, and leaves nothing.
 */
export async function openSource(source: SiteSource, options: OpenSourceOptions): Promise<OpenedSource> {
  const {
    version,
    workFolder,
    cacheFolder,
    signal = new AbortController().signal,
    environment = process.env,
  } = options;
  signal.throwIfAborted();
  if (source.kind === "folder") return openFolder(source.path, version);
  const limits = {
    fetchTimeoutMs: options.fetchTimeoutMs ?? sourceLimitDefaults.fetchTimeoutMs,
    maxSourceBytes: options.maxSourceBytes ?? sourceLimitDefaults.maxSourceBytes,
  };
  return checkoutGit(parseGitSource(source, version), { workFolder, cacheFolder, limits, environment, signal });
}

/** Of a source that is being registered: whether it could ever be opened. @throws {SourceFault} */
export function checkSource(source: SiteSource): void {
  if (source.kind === "git") parseGitSource(source);
  else checkPath(source.path);
}

function checkPath(path: string): void {
  if (!isAbsolute(path) || path.includes("\0"))
    throw new SourceFault("The folder that the site is to come from is not written as an absolute path.", false);
}

async function openFolder(path: string, version: string | undefined): Promise<OpenedSource> {
  checkPath(path);
  if (version !== undefined)
    throw new SourceFault(
      'This site comes from a folder, which has no versions: leave "version" out, or let the site come from a git repository.',
      false,
    );
  const stats = await stat(path).catch((cause: unknown) => {
    throw new SourceFault("The folder that the site comes from cannot be read on the worker.", true, { cause });
  });
  if (!stats.isDirectory())
    throw new SourceFault("What the site is to come from is a file on the worker, not a folder.", false);
  return { folder: path, remove: async () => {} };
}
