import { mkdtemp, rm, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { type Network, realNetwork } from "../../../lib/fetch/index.js";
import { withoutUndefined } from "../../../lib/without-undefined.js";
import type { SiteSource } from "../../jobs/index.js";
import { checkoutGit, type OpenedSource, type SourceLimits } from "./checkout-git.js";
import type { GitCredential } from "./git-credential.js";
import { withGit } from "./git-environment.js";
import { inEitherSpelling, isRef, parseGitSource, SourceFault, type WrittenGitSource } from "./git-source.js";
import { type Environment, openTargets } from "./guard-proxy.js";
import { explainGit, runGit } from "./run-git.js";

export const sourceLimitDefaults: SourceLimits = {
  fetchTimeoutMs: 5 * 60_000,
  maxSourceBytes: 4 * 1024 * 1024 * 1024,
};

export interface OpenSourceOptions extends Partial<SourceLimits> {
  /** Tag, branch or commit that replaces the source's ref, or a label: see `mayBeLabel`. */
  readonly version?: string;
  /** Folder for the files of a repository. */
  readonly workFolder: string;
  /** Caches fetched packs for the next fetch; may be deleted at any time. */
  readonly cacheFolder?: string;
  readonly signal?: AbortSignal;
  /** Default: the repository is public. A credential for another address is a fault. */
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
  const open = (ref?: string) =>
    inEitherSpelling(source, (spelled) => checkoutGit(parseGitSource(spelled, ref), settings));
  if (version === undefined || !mayBeLabel(version)) return open(version);
  if (!isRef(version)) return { ...(await open()), isLabelled: true };
  return open(version).catch(async (fault: unknown) => {
    if (!(fault instanceof SourceFault && fault.isMissingRef)) throw fault;
    return { ...(await open()), isLabelled: true };
  });
}

/** A full name (`refs/heads/main`) and what looks like a commit name nothing but that. */
const mayBeLabel = (version: string): boolean =>
  !version.startsWith("refs/") && !/^(?=.*[a-f])[0-9a-f]{7,64}$/.test(version);

/** Validates a source. @param writtenBy only operators may name this machine's. @throws {SourceFault} */
export function checkSource(source: SiteSource, writtenBy: "operator" | "tenant"): void {
  if (writtenBy === "tenant" && (source.kind === "folder" || /^file:/i.test(source.url)))
    throw new SourceFault("A local repository or folder can only be added on the service's own machine.");
  if (source.kind === "git") parseGitSource(source);
  else checkPath(source.path);
}

function checkPath(path: string): void {
  if (!isAbsolute(path) || path.includes("\0"))
    throw new SourceFault("The path of the site's folder must be absolute.");
}

async function openFolder(path: string, version: string | undefined): Promise<OpenedSource> {
  checkPath(path);
  if (version !== undefined && !mayBeLabel(version))
    throw new SourceFault(
      'This site comes from a folder, which has no branches, tags or commits. Use a git repository as its source, or a "version" that is only a label.',
      false,
    );
  const stats = await stat(path).catch((cause: unknown) => {
    throw new SourceFault("The worker cannot read the site's folder.", true, { cause });
  });
  if (!stats.isDirectory()) throw new SourceFault("On the worker, the site's folder is a file.");
  return { folder: path, remove: async () => {}, ...(version !== undefined && { isLabelled: true }) };
}

export interface RepositoryOptions extends Partial<SourceLimits> {
  readonly workFolder: string;
  /** Default: the repository is public. */
  readonly credential?: GitCredential | undefined;
  /** Settings of the network and ssh. */
  readonly environment: Environment;
  readonly network?: Network;
  readonly signal: AbortSignal;
}

/** A repository at one commit, whose files may be changed. */
export interface OpenedRepository extends Omit<OpenedSource, "root"> {
  /** Folder of all files; `folder` is that of the site. */
  readonly workTree: string;
  /** Runs git on it and returns the first 16 KB of its output. The credential is in the environment of git alone. */
  git(...args: readonly string[]): Promise<string>;
}

/**
 * Fetches one branch of a repository without its history; only the site's subfolder if it has one.
 *
 * Fails: throws a `SourceFault` with a message for API clients. `git` throws a `GitFailure`, or a `SourceFault` if a
 *        connection was refused.
 * Stops: once the signal aborts, rejects with its reason.
 */
export async function openRepository(
  source: WrittenGitSource,
  ref: string,
  options: RepositoryOptions,
): Promise<OpenedRepository> {
  const parsed = parseGitSource(source, ref);
  const { environment, network = realNetwork, signal } = options;
  const access = { ...options, url: parsed.url, targets: openTargets(environment, network) };
  const settings = { ...sourceLimitDefaults, ...withoutUndefined(access), keepsRepository: true };
  const { root = "", ...opened } = await checkoutGit(parsed, settings);
  const workTree = join(root, "site");
  const ofRepository = { GIT_DIR: join(root, "git"), GIT_WORK_TREE: workTree, GIT_LITERAL_PATHSPECS: "1" };
  return {
    ...opened,
    workTree,
    git: (...args) =>
      withGit(access, join(root, "home"), ({ variables, secrets }) =>
        runGit(workTree, args, { variables: { ...variables, ...ofRepository }, secrets }, signal),
      ),
  };
}

/** Branches of a repository, by the commits at their ends. */
export interface Remote {
  /** Undefined if the repository names none. */
  readonly defaultBranch: string | undefined;
  /** Those that were asked for and exist, and the default branch. */
  readonly tips: ReadonlyMap<string, string>;
}

/** Asks a repository for its default branch and for `branches`. Fails and stops as `openRepository` does. */
export async function listRemote(
  source: WrittenGitSource,
  branches: readonly string[],
  options: RepositoryOptions,
): Promise<Remote> {
  const parsed = parseGitSource(source);
  const { workFolder, credential, environment, network = realNetwork, signal } = options;
  const { fetchTimeoutMs = sourceLimitDefaults.fetchTimeoutMs } = options;
  const access = { url: parsed.url, credential, environment, targets: openTargets(environment, network) };
  const home = await mkdtemp(join(workFolder, "remote-"));
  const stop = AbortSignal.any([signal, AbortSignal.timeout(fetchTimeoutMs)]);
  try {
    const refs = ["HEAD", ...branches.map((branch) => `refs/heads/${branch}`)];
    const args = ["ls-remote", "--symref", "--", parsed.url.href, ...refs];
    const answer = await withGit(access, home, (variables) => runGit(home, args, variables, stop));
    const tips = answer.split("\n").flatMap((line): [string, string][] => {
      const [, commit, branch] = /^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/.exec(line) ?? [];
      return commit !== undefined && branch !== undefined ? [[branch, commit]] : [];
    });
    const head = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(answer)?.[1];
    const headCommit = /^([0-9a-f]{40,64})\tHEAD$/m.exec(answer)?.[1];
    if (head !== undefined && headCommit !== undefined) tips.push([head, headCommit]);
    return { defaultBranch: head, tips: new Map(tips) };
  } catch (error) {
    signal.throwIfAborted();
    throw explainGit(parsed, error, credential);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
