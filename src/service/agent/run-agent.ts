import type { Network } from "../../lib/fetch/index.js";
import type { ModelOptions } from "../assistant/index.js";
import {
  GitFailure,
  inEitherSpelling,
  listRemote,
  type OpenedRepository,
  openRepository,
  type RepositoryOptions,
  SourceFault,
} from "../git/checkout/index.js";
import type { AgentAccess } from "../git/credentials/index.js";
import { openForge, repositoryOf } from "../git/forge/index.js";
import type { AgentResult, AgentRun, SiteSource } from "../jobs/index.js";
import type { AgentSetup } from "./agent-request.js";
import { type CommitDeps, commitWork } from "./commit-work.js";
import { readPushed, repairedBase, repairNotice } from "./describe-work.js";
import type { RunLimits } from "./model/model-calls.js";

/** What agent jobs may use. */
export interface AgentSettings extends AgentSetup {
  /** Default: only repairs are possible. */
  readonly languageModel?: ModelOptions;
  /** Limits of one run with the model. */
  readonly limits?: Partial<RunLimits>;
  /** Secrets of the service: nothing with one of them is pushed. */
  readonly secrets: readonly string[];
  /** Environment variables with which git reaches the network. */
  readonly environment: RepositoryOptions["environment"];
  readonly network?: Network;
  /** Before the second try of a request to a forge or the model, in milliseconds. */
  readonly retryMs?: number;
}

export interface AgentRunDeps extends AgentSettings, AgentAccess, Omit<CommitDeps, "credential"> {
  onPushed(result: AgentResult): Promise<void>;
}

/**
 * One run of an agent job: from the branch of the repository to a pull request.
 *
 * Out:   the branch and the pull request that the job has now. Nothing is pushed if nothing has changed.
 * Fails: throws a `SourceFault` or `ForgeFault` with a message for API clients. A run that is repeated after a crash
 *        finds what the one before has pushed and opened.
 * Stops: once the signal aborts, rejects with its reason.
 */
export const runAgent = (run: AgentRun, source: GitSiteSource, deps: AgentRunDeps): Promise<AgentResult> =>
  // The first request of a run is a list of branches, so a redirect ends the first call before it changes anything.
  inEitherSpelling(source, (spelled) => runAgentOn(spelled, run, deps));

/** The branch that a run pushes to, unless it continues that of an earlier one or the job names its branch. */
export const branchOf = (runId: string): string => `offprint/agent-${runId.slice(3, 11)}`;

type GitSiteSource = Extract<SiteSource, { kind: "git" }>;

async function runAgentOn(source: GitSiteSource, run: AgentRun, deps: AgentRunDeps): Promise<AgentResult> {
  const { job, runId } = run;
  const { signal, record } = deps;
  const repository = repositoryOf(source.url);
  const options = { ...deps, secrets: [...deps.secrets, deps.forge.token] };

  // Later runs add to the pull request of the first, or have to begin another branch.
  const named = run.earlier.length === 0 ? job.branch : undefined;
  const ownBranch = named ?? branchOf(runId);
  const previous = job.ref === undefined ? (run.earlierRepair ?? {}) : job;
  const branches = [ownBranch, previous.ref, source.ref].filter((each) => each !== undefined);
  const { tips, defaultBranch } = await listRemote(source, branches, options);
  const base = source.ref ?? defaultBranch;
  if (base === undefined || (source.ref !== undefined && !tips.has(source.ref)))
    throw new SourceFault(
      `The site's source is "${base ?? "HEAD"}", which is not a branch, but a pull request needs one. Change the source of the site.`,
    );
  const forge = openForge(repository, deps.forge, deps);
  const isOpen = async (branch: string): Promise<boolean> =>
    tips.has(branch) && (deps.forge.kind === "none" || (await forge.find(branch)) !== undefined);
  // A person may have merged or closed the pull request of the runs before.
  const continued = previous.ref !== undefined && (await isOpen(previous.ref)) ? previous.ref : undefined;
  // If a branch of this run's own exists, this run has pushed to it before it was repeated.
  const branch = tips.has(ownBranch) ? ownBranch : (continued ?? ownBranch);

  const tip = tips.get(branch);
  let opened = await openRepository(source, tip === undefined ? base : branch, options);
  try {
    await record("info", `The repository is ready (${tip === undefined ? base : branch}).`);
    if (job.mode === "repair") await record("info", repairNotice);
    const earlier = tip === undefined ? undefined : readPushed(await opened.git("log", "-1", "--format=%B"), runId);
    if (branch === named && tip !== undefined && !earlier)
      throw new SourceFault(
        `The branch "${named}" exists already. The agent pushes only to branches that it has created: name a new one, or leave "branch" out.`,
      );
    let start = tip;
    if (job.mode === "repair" && tip !== undefined && !earlier) {
      const repaired = repairedBase(await opened.git("cat-file", "commit", "HEAD"));
      if (repaired !== undefined && repaired !== tips.get(base)) {
        await record("info", `${base} has changed since the last repair, so the repair runs again.`);
        await opened.remove();
        opened = await openRepository(source, base, options);
        start = undefined;
      }
    }
    const pushed = earlier ?? (await commitWork(run, opened, { source, base, tip: start }, options));
    if (!pushed) {
      await record("info", "No changes were needed.");
      if (continued === undefined) return { ...(job.ref !== undefined && { ref: job.ref }), ...pullRequestOf(job) };
      return { ref: continued, ...pullRequestOf(previous) };
    }
    const { title, body, isDraft } = pushed;
    // The text of an open pull request stays as it is, and some forges cannot make it a draft again.
    const target = isDraft ? ownBranch : branch;
    if (target !== job.branch && !isAgentBranch(target))
      throw new Error(`The agent is not allowed to push to ${target}.`);
    if (!earlier) await push(opened, target, target === branch ? tip : undefined, repository.host);
    signal.throwIfAborted();
    await record("info", `Pushed the branch ${target}.`);
    await deps.onPushed({ ref: target, ...(target === continued ? pullRequestOf(previous) : {}) });
    const pullRequest = await forge.open({ branch: target, base, title, body, isDraft: isDraft || job.asDraft });
    if (pullRequest !== undefined) await record("info", `The pull request is ${pullRequest}.`);
    return { ref: target, ...pullRequestOf({ pullRequest }) };
  } finally {
    await opened.remove();
  }
}

const isAgentBranch = (branch: string): boolean => /^offprint\/agent-[0-9a-f]{8}$/.test(branch);

const pullRequestOf = ({ pullRequest }: { readonly pullRequest?: string | undefined }) =>
  pullRequest === undefined ? {} : { pullRequest };

/** Creates the branch, or adds to it; nothing else moves, whoever pushes at the same time. */
async function push(opened: OpenedRepository, branch: string, tip: string | undefined, host: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  try {
    const lease = `--force-with-lease=${ref}:${tip ?? ""}`;
    await opened.git("push", "--quiet", "--no-verify", lease, "--", "origin", `HEAD:${ref}`);
  } catch (cause) {
    if (!(cause instanceof GitFailure)) throw cause;
    const reason = pushFaults.find(({ pattern }) => pattern.test(cause.message));
    if (reason) throw new SourceFault(reason.explain(host), reason.retry, { cause });
    throw new SourceFault(`The agent's branch could not be pushed to ${host}.`, true, { cause });
  }
}

/** The first match wins. */
const pushFaults = [
  {
    pattern: /stale info|fetch first|non-fast-forward|cannot lock ref/i,
    retry: true,
    explain: () => "Someone else pushed to the agent's branch at the same time.",
  },
  {
    pattern: /returned error: 40[13]|Authentication failed|could not read (Username|Password)|Permission denied/i,
    retry: false,
    explain: (host: string) => `The organization's credential does not allow pushing to ${host}.`,
  },
  {
    pattern: /hook declined|protected branch|remote rejected/i,
    retry: false,
    explain: (host: string) => `${host} rejected the agent's branch: a rule of the repository forbids it.`,
  },
];
