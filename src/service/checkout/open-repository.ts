import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { checkoutGit, type OpenedSource, type SourceLimits } from "./checkout-git.js";
import { explainGit } from "./explain-git.js";
import type { GitCredential } from "./git-credential.js";
import { type Environment, gitEnvironment, writeKey } from "./git-environment.js";
import { parseGitSource, type WrittenGitSource } from "./git-source.js";
import { sourceLimitDefaults } from "./open-source.js";
import { runGit } from "./run-git.js";

export interface RepositoryOptions extends Partial<SourceLimits> {
  readonly workFolder: string;
  /** Settings of the network: see `gitEnvironment`. */
  readonly environment: Environment;
  readonly credential?: GitCredential | undefined;
  readonly signal: AbortSignal;
}

/** A repository at one commit, whose files may be changed. */
export interface OpenedRepository extends Omit<OpenedSource, "root"> {
  /** Folder of all files; `folder` is that of the site. */
  readonly workTree: string;
  /** Runs git on it and returns the first 16 KB of its output. The token is in the environment of git alone. */
  git(...args: readonly string[]): Promise<string>;
}

/**
 * Fetches one branch of a repository without its history; only the site's subfolder if it has one.
 *
 * Fails: throws a `SourceFault` with a message for API clients. `git` throws a `GitFailure`.
 * Stops: once the signal aborts, rejects with its reason.
 */
export async function openRepository(
  source: WrittenGitSource,
  ref: string,
  options: RepositoryOptions,
): Promise<OpenedRepository> {
  const parsed = parseGitSource(source, ref);
  const { environment, credential, signal } = options;
  const settings = { ...sourceLimitDefaults, ...withoutUndefined(options), keepsRepository: true };
  const { root = "", ...opened } = await checkoutGit(parsed, settings);
  const { variables, secrets } = gitEnvironment(environment, parsed.url, join(root, "home"), credential);
  const workTree = join(root, "site");
  const own = { GIT_DIR: join(root, "git"), GIT_WORK_TREE: workTree, GIT_LITERAL_PATHSPECS: "1" };
  return {
    ...opened,
    workTree,
    git: (...args) => runGit(workTree, args, { variables: { ...variables, ...own }, secrets }, signal),
  };
}

/** Branches of a repository, by the commits at their ends. */
export interface Remote {
  /** Undefined if the repository names none. */
  readonly defaultBranch: string | undefined;
  /** Those that were asked for and exist. */
  readonly tips: ReadonlyMap<string, string>;
}

/** Asks a repository for its default branch and for `branches`. Fails and stops as `openRepository` does. */
export async function listRemote(
  source: WrittenGitSource,
  branches: readonly string[],
  {
    workFolder,
    environment,
    credential,
    signal,
    fetchTimeoutMs = sourceLimitDefaults.fetchTimeoutMs,
  }: RepositoryOptions,
): Promise<Remote> {
  const parsed = parseGitSource(source);
  const home = await mkdtemp(join(workFolder, "remote-"));
  const stop = AbortSignal.any([signal, AbortSignal.timeout(fetchTimeoutMs)]);
  try {
    await writeKey(credential, home);
    const refs = ["HEAD", ...branches.map((branch) => `refs/heads/${branch}`)];
    const args = ["ls-remote", "--symref", "--", parsed.url.href, ...refs];
    const lines = (await runGit(home, args, gitEnvironment(environment, parsed.url, home, credential), stop)).split(
      "\n",
    );
    const tips = lines.flatMap((line): [string, string][] => {
      const [, commit, branch] = /^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/.exec(line) ?? [];
      return commit !== undefined && branch !== undefined ? [[branch, commit]] : [];
    });
    const head = lines
      .map((line) => /^ref: refs\/heads\/(.+)\tHEAD$/.exec(line)?.[1])
      .find((each) => each !== undefined);
    return { defaultBranch: head, tips: new Map(tips) };
  } catch (error) {
    signal.throwIfAborted();
    throw explainGit(parsed, error);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
