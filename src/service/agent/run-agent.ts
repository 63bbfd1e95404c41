import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Network } from "../../lib/fetch/index.js";
import type { ModelOptions } from "../assistant/index.js";
import {
  GitFailure,
  listRemote,
  type OpenedRepository,
  openRepository,
  type RepositoryOptions,
  SourceFault,
} from "../checkout/index.js";
import type { AgentAccess } from "../credentials/index.js";
import { openForge, repositoryOf } from "../forge/index.js";
import type { AgentResult, AgentRun, LogLine, SiteSource } from "../jobs/index.js";
import type { AgentSetup } from "./agent-request.js";
import type { AgentWork, FileChange } from "./agent-work.js";
import { writablePath } from "./allowed-path.js";
import { type PushedWork, pushedMessage, readPushed } from "./commit-message.js";
import { describeWork } from "./describe-work.js";
import type { RunLimits } from "./model/run-limits.js";
import { hostsIn, scanChanges, secretsIn } from "./scan-changes.js";

/** What agent jobs may use. */
export interface AgentSettings extends AgentSetup {
  /** Undefined: there is none. */
  readonly languageModel?: ModelOptions;
  /** Of one run with the model. */
  readonly limits?: Partial<RunLimits>;
  /** Secrets of the service: nothing with one of them is pushed. */
  readonly secrets: readonly string[];
  /** For git: how it reaches the network. */
  readonly environment: RepositoryOptions["environment"];
  readonly network?: Network;
  /** Before the second try of a request to a forge or the model, in milliseconds. */
  readonly retryMs?: number;
}

export interface AgentRunDeps extends AgentSettings, AgentAccess, Omit<RepositoryOptions, "credential"> {
  /** Changes a copy of the site in this folder, outside of this process. */
  work(site: string, instructions: string | undefined): Promise<AgentWork>;
  /** Stores what the model says about its work. */
  storeReply(reply: string): Promise<void>;
  /** Stores the patch before it is pushed. */
  storePatch(patch: string): Promise<void>;
  /** The branch is pushed. */
  onPushed(result: AgentResult): Promise<void>;
  /** An event for the job's clients: without contents of files. */
  record(level: LogLine["level"], message: string): Promise<void>;
}

const author = { name: "Offprint agent", email: "agent@offprint.invalid" };
/** For the console, in characters. */
const maxStoredPatch = 1024 * 1024;
const maxPatchBytes = 8 * 1024 * 1024;

/**
 * One run of an agent job: from the branch of the repository to a pull request.
 *
 * Out:   the branch and the pull request that the job has now. Nothing is pushed if nothing has changed.
 * Fails: throws a `SourceFault` or `ForgeFault` with a message for API clients. A run that is repeated after a crash finds
 *        what the one before has pushed and opened.
 * Stops: once the signal aborts, rejects with its reason.
 */
export async function runAgent(
  run: AgentRun,
  source: Extract<SiteSource, { kind: "git" }>,
  deps: AgentRunDeps,
): Promise<AgentResult> {
  const { job, runId } = run;
  const { signal, record } = deps;
  const repository = repositoryOf(source.url);
  const options = { ...deps, secrets: [...deps.secrets, deps.forge.token] };

  const own = `offprint/agent-${runId.slice(3, 11)}`;
  const asked = [own, job.ref, source.ref].filter((each) => each !== undefined);
  const { tips, defaultBranch } = await listRemote(source, asked, options);
  const base = source.ref ?? defaultBranch;
  if (base === undefined || (source.ref !== undefined && !tips.has(source.ref)))
    throw new SourceFault(
      `The site comes from "${base ?? "HEAD"}", which is no branch: a pull request needs one. Change the source of the site.`,
      false,
    );
  const forge = openForge(repository, deps.forge, deps);
  const isOpen = async (branch: string): Promise<boolean> =>
    tips.has(branch) && (deps.forge.kind === "none" || (await forge.find(branch)) !== undefined);
  // A person may have merged or closed the pull request of the runs before.
  const continued = job.ref !== undefined && (await isOpen(job.ref)) ? job.ref : undefined;
  const branch = continued ?? own;

  const tip = tips.get(branch);
  const opened = await openRepository(source, tip === undefined ? base : branch, options);
  try {
    await record("info", `The repository is ready (${tip === undefined ? base : branch}).`);
    const known = tip === undefined ? undefined : readPushed(await opened.git("log", "-1", "--format=%B"), runId);
    const pushed =
      known ?? (await commitWork(run, opened, tip === undefined ? undefined : base, source.subfolder, options));
    if (!pushed) {
      await record("info", "Nothing was to be changed.");
      return { ...(job.ref !== undefined && { ref: job.ref }), ...pullRequestOf(job) };
    }
    if (!known) await push(opened, branch, tip, repository.host);
    signal.throwIfAborted();
    await record("info", `The branch ${branch} is pushed.`);
    await deps.onPushed({ ref: branch, ...(continued === undefined ? {} : pullRequestOf(job)) });
    const { title, body, isDraft } = pushed;
    const pullRequest = await forge.open({ branch, base, title, body, isDraft: isDraft || job.asDraft });
    if (pullRequest !== undefined) await record("info", `The pull request is ${pullRequest}.`);
    return { ref: branch, ...pullRequestOf({ pullRequest }) };
  } finally {
    await opened.remove();
  }
}

const pullRequestOf = ({ pullRequest }: { readonly pullRequest?: string | undefined }) =>
  pullRequest === undefined ? {} : { pullRequest };

/**
 * Commits the work. Undefined if it changes nothing.
 *
 * @param base undefined: the repository is opened at it.
 */
async function commitWork(
  run: AgentRun,
  opened: OpenedRepository,
  base: string | undefined,
  subfolder: string | undefined,
  deps: AgentRunDeps,
): Promise<PushedWork | undefined> {
  const instructions = run.job.mode === "model" ? await instructionsOf(opened, base, subfolder) : undefined;
  const work = await deps.work(opened.folder, instructions);
  const { changes, before, after } = work;
  await deps.record(
    "info",
    `Files to change: ${changes.length}. Errors: ${before.errors} before, ${after.errors} after. Warnings: ${before.warnings}, ${after.warnings}.`,
  );
  if (work.words !== undefined) {
    refuseSecrets("The model's answer contains", secretsIn(work.words, work.words, deps.secrets));
    await deps.storeReply(work.words);
  }
  if (changes.length === 0) return undefined;
  const site = await realpath(opened.folder);
  for (const change of changes) await apply(site, change);
  const aside = (name: string): string => join(dirname(opened.workTree), name);
  const paths = changes.map(({ path }) => (subfolder === undefined ? path : `${subfolder}/${path}`));
  await writeFile(aside("paths"), paths.join("\0"));
  await opened.git("add", "--all", "--force", `--pathspec-from-file=${aside("paths")}`, "--pathspec-file-nul");
  await opened.git("diff", "--cached", "--no-color", "--no-ext-diff", "--no-textconv", `--output=${aside("patch")}`);
  const patch = await readFile(aside("patch"));
  if (patch.length === 0) return undefined;
  if (patch.length > maxPatchBytes) throw new SourceFault("The changes are larger than a person could review.", false);

  const text = patch.toString("utf8");
  const promptHosts = hostsIn([run, ...run.earlier].map(({ prompt }) => prompt).join("\n"));
  const isKnownHost = async (host: string): Promise<boolean> =>
    promptHosts.has(host) || (await isInSite(opened, host, subfolder));
  const { secrets, suspicions } = await scanChanges(text, deps.secrets, isKnownHost);
  refuseSecrets("The changes contain", secrets);
  if (suspicions.length > 0) await deps.record("warning", "The pull request is a draft: its text says why.");
  await deps.storePatch(text.slice(0, maxStoredPatch));

  const pushed = { ...describeWork(run, work, suspicions), isDraft: suspicions.length > 0 };
  await writeFile(aside("message"), pushedMessage(pushed, run.runId));
  const identity = ["-c", `user.name=${author.name}`, "-c", `user.email=${author.email}`];
  const plainly = ["--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim"];
  await opened.git(...identity, "commit", ...plainly, "-F", aside("message"));
  return pushed;
}

function refuseSecrets(where: string, secrets: readonly string[]): void {
  if (secrets.length > 0) throw new SourceFault(`${where} ${secrets.join(" and ")}, so nothing was pushed.`, false);
}

/** What the site's owners say about its texts: from the base alone, since others may push to the agent's branch. */
async function instructionsOf(
  { git }: OpenedRepository,
  base: string | undefined,
  subfolder: string | undefined,
): Promise<string | undefined> {
  if (base !== undefined) await git("fetch", "--quiet", "--depth=1", "origin", `refs/heads/${base}`);
  for (const folder of [".offprint", ".mintlify"]) {
    const path = [subfolder, folder, "AGENTS.md"].filter((each) => each !== undefined).join("/");
    try {
      return await git("show", `${base === undefined ? "HEAD" : "FETCH_HEAD"}:${path}`);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
    }
  }
  return undefined;
}

async function apply(site: string, { path, content }: FileChange): Promise<void> {
  const file = await writablePath(site, path).catch((cause: Error) => {
    throw new SourceFault(`A file that the agent may not write was to be changed. ${cause.message}`, false, { cause });
  });
  if (content === undefined) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function isInSite(opened: OpenedRepository, host: string, subfolder: string | undefined): Promise<boolean> {
  try {
    await opened.git(
      "grep",
      "-q",
      "-i",
      "-F",
      "-e",
      host,
      "HEAD",
      "--",
      ...(subfolder === undefined ? [] : [subfolder]),
    );
    return true;
  } catch (error) {
    // Git ends with 1, and no words, if it finds nothing.
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/** Creates the branch, or adds to it; nothing else moves, whoever pushes at the same time. */
async function push(opened: OpenedRepository, branch: string, tip: string | undefined, host: string): Promise<void> {
  if (!/^offprint\/agent-[0-9a-f]{8}$/.test(branch)) throw new Error(`The agent may not push to ${branch}.`);
  const ref = `refs/heads/${branch}`;
  try {
    await opened.git(
      "push",
      "--quiet",
      "--no-verify",
      `--force-with-lease=${ref}:${tip ?? ""}`,
      "--",
      "origin",
      `HEAD:${ref}`,
    );
  } catch (cause) {
    if (!(cause instanceof GitFailure)) throw cause;
    const { message } = cause;
    if (/stale info|fetch first|non-fast-forward|cannot lock ref/i.test(message))
      throw new SourceFault("Somebody else has pushed to the agent's branch meanwhile.", true, { cause });
    if (
      /returned error: 40[13]|Authentication failed|could not read (Username|Password)|Permission denied/i.test(message)
    )
      throw new SourceFault(`The credential of the organization may not push to ${host}.`, false, { cause });
    if (/hook declined|protected branch|remote rejected/i.test(message))
      throw new SourceFault(`${host} refuses the agent's branch: a rule of the repository forbids it.`, false, {
        cause,
      });
    throw new SourceFault(`The agent's branch could not be pushed to ${host}.`, true, { cause });
  }
}
