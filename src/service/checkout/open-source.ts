import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type Network, realNetwork } from "../../lib/fetch/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { SiteSource } from "../jobs/index.js";
import { type Environment, openTargets } from "./allowed-targets.js";
import { checkoutGit, type OpenedSource, type SourceLimits } from "./checkout-git.js";
import type { GitCredential } from "./git-credential.js";
import { inEitherSpelling, parseGitSource } from "./git-source.js";
import { SourceFault } from "./source-fault.js";

export const sourceLimitDefaults: SourceLimits = {
  fetchTimeoutMs: 5 * 60_000,
  maxSourceBytes: 4 * 1024 * 1024 * 1024,
};

export interface OpenSourceOptions extends Partial<SourceLimits> {
  /** Tag, branch or commit that replaces the source's ref. */
  readonly version?: string;
  /** Folder for the files of a repository. */
  readonly workFolder: string;
  /** Caches fetched packs for the next fetch; may be deleted at any time. */
  readonly cacheFolder?: string;
  readonly signal?: AbortSignal;
  /** Undefined: the repository is public. A credential for another address is a fault. */
  readonly credential?: GitCredential | undefined;
  /** Settings of the network and ssh; no credential is read from it. */
  readonly environment?: Environment;
  readonly network?: Network;
}

/**
 * Provides the files of a site: a folder is used in place, a repository is fetched at one commit.
 *
 * Fails: throws a `SourceFault` with a message for API clients.
 * Stops: once `signal` aborts, rejects with its reason and leaves no files.
 */
export async function openSource(source: SiteSource, options: OpenSourceOptions): Promise<OpenedSource> {
  const { version, signal = new AbortController().signal, environment = process.env, network = realNetwork } = options;
  signal.throwIfAborted();
  if (source.kind === "folder") return openFolder(source.path, version);
  const limits = { ...sourceLimitDefaults, ...withoutUndefined(options) };
  const targets = openTargets(environment, network);
  const settings = { ...limits, environment, targets, signal };
  return inEitherSpelling(source, (spelled) => checkoutGit(parseGitSource(spelled, version), settings));
}

/**
 * Validates a source before it is registered.
 *
 * @param writtenBy only the operator may name folders and repositories of the service's machine.
 * @throws {SourceFault}
 */
export function checkSource(source: SiteSource, writtenBy: "operator" | "tenant"): void {
  if (writtenBy === "tenant" && (source.kind === "folder" || /^file:/i.test(source.url)))
    throw new SourceFault("A repository of the service's machine is added on that machine.", false);
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
