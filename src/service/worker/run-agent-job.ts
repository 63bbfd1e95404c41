import { readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AgentSettings,
  type AgentWork,
  createModelCalls,
  type FileChange,
  type ModelTask,
  type Review,
  type RunLimits,
  runAgent,
  runLimitDefaults,
} from "../agent/index.js";
import type { Credentials } from "../git/credentials/index.js";
import { repositoryOf } from "../git/forge/index.js";
import type { AccountStore, AgentRun, AgentStore, Lease } from "../jobs/index.js";
import { type ExportProcess, ownFileSize } from "./export-process.js";
import type { TaskDeps } from "./export-task.js";
import {
  failureOfOutcome,
  JobFailure,
  onUnreadDatabase,
  onUnwrittenDatabase,
  ourBug,
  removedSite,
} from "./job-failure.js";
import type { AgentTask, TaskAnswers } from "./messages.js";
import { type HeldLease, type JobFacts, type JobRecord, JobStop, type LeasedDeps, persist } from "./run-leased.js";
import { type SpareProcess, takeProcess } from "./spare-process.js";

export interface AgentJobDeps extends LeasedDeps, Pick<TaskDeps, "maxMemoryMb"> {
  readonly store: LeasedDeps["store"] & {
    readonly accounts: AccountStore;
    readonly agents: AgentStore;
    readonly credentials: Credentials;
  };
  readonly processes: SpareProcess;
  /** Without it, agent jobs fail. */
  readonly agent?: AgentSettings | undefined;
}

/** Total size of the files that a run may change. */
const maxChangedBytes = 64 * 1024 * 1024;
const reviewMs = 10 * 60_000;

/**
 * One run of an agent job. The site is read and changed in a process of its own, which has neither a network nor the
 * tokens.
 *
 * Fails: throws the reason why the run is not completed.
 * Stops: once the lease must be given up, rejects with a `JobStop`.
 */
export async function runAgentJob(
  lease: Lease,
  { signal }: HeldLease,
  record: JobRecord,
  deps: AgentJobDeps,
): Promise<JobFacts> {
  const { agents, accounts, credentials } = deps.store;
  const { jobId, organizationId, projectId, domain } = lease.job;
  if (!deps.agent) throw new JobFailure("This worker is not set up for agent jobs.", "environment", false);
  const [run, project] = await Promise.all([agents.run(jobId), accounts.projectById(projectId)]).catch(
    onUnreadDatabase,
  );
  if (!run || project?.organizationId !== organizationId || project.removedAt) throw removedSite(domain);
  const { source } = project;
  if (source.kind === "folder")
    throw new JobFailure("The site comes from a folder, not from a git repository.", "site", false);
  if (repositoryOf(source.url).webUrl !== run.job.repository)
    throw new JobFailure(
      `The job is for ${run.job.repository}, but the site now comes from another repository. Create a new job.`,
      "site",
      false,
    );
  const [access, secrets] = await Promise.all([
    credentials.forAgent(organizationId, source.url, signal),
    credentials.secretsOf(organizationId),
  ]);
  const model = openAgentModel(run, deps.agent, record, signal);
  const working = takeProcess(deps, undefined);
  const whileLeased = async (write: () => Promise<boolean>): Promise<void> => {
    if (!(await persist(write).catch(onUnwrittenDatabase))) throw new JobStop("lost");
  };
  try {
    const result = await runAgent(run, source, {
      ...deps.agent,
      ...access,
      secrets: [...deps.agent.secrets, ...secrets],
      workFolder: working.folders.source,
      signal,
      async work(site, base, instructions) {
        const task: AgentTask = {
          source: await realpath(site),
          base: await realpath(base),
          changes: join(working.folders.own, "changes"),
          maxMemoryMb: deps.maxMemoryMb,
          model: model?.taskWith(instructions),
        };
        return workIn(working, task, model, signal);
      },
      review: (site, base, changes) => review(working.folders.source, { site, base, changes }, signal, deps),
      storeReply: (reply) => whileLeased(() => agents.storeReply(lease, reply)),
      storePatch: (patch) => whileLeased(() => agents.storePatch(lease, patch)),
      onPushed: (pushed) => whileLeased(() => agents.update(lease, pushed)),
      record: (level, message) => record.add(level, message),
    });
    await whileLeased(() => agents.complete(lease, result));
    return result.ref === undefined ? {} : { branch: result.ref };
  } finally {
    if (!deps.processes.putBack(working)) await working.remove();
    deps.processes.refill();
  }
}

async function workIn(
  working: ExportProcess,
  task: AgentTask,
  model: AgentModel | undefined,
  signal: AbortSignal,
): Promise<AgentWork> {
  const { changes } = task;
  const outcome = await working.run(task, () => {}, signal, model?.answers);
  await working.end();
  await model?.recordUse();
  if (outcome.kind !== "worked") throw failureOfOutcome(outcome);
  let room = maxChangedBytes;
  const contentOf = async (file: number): Promise<Buffer> => {
    const path = join(changes, String(file));
    const size = await ownFileSize(path);
    if (size === undefined) throw ourBug("The agent process produced something other than regular files.");
    room -= size;
    if (room < 0) throw new JobFailure("The changed files exceed the size limit for agents.", "site", false);
    return readFile(path);
  };
  const files: AgentWork["changes"][number][] = [];
  for (const { by, path, file } of outcome.changes)
    files.push({ by, path, content: file === null ? undefined : await contentOf(file) });
  const { kind, ...work } = outcome;
  return { ...work, changes: files };
}

/**
 * Reviews changes in a process that the model could not reach: not in the one that made them, which could have been
 * taken over, and not in this one, since reviewing parses texts that may be hostile.
 *
 * @param checkouts folder with the site and its base.
 */
async function review(
  checkouts: string,
  { site, base, changes }: { readonly site: string; readonly base: string; readonly changes: readonly FileChange[] },
  signal: AbortSignal,
  deps: AgentJobDeps,
): Promise<Review> {
  const reviewing = takeProcess(deps, checkouts);
  const late = AbortSignal.timeout(reviewMs);
  try {
    const files: { path: string; file: string | null }[] = [];
    for (const { path, content } of changes) {
      const file = join(reviewing.folders.fetched, `change-${files.length}`);
      if (content !== undefined) await writeFile(file, content);
      files.push({ path, file: content === undefined ? null : file });
    }
    const folders = { source: await realpath(site), base: await realpath(base) };
    const task = { ...folders, files, maxMemoryMb: deps.maxMemoryMb };
    const outcome = await reviewing.run(task, () => {}, AbortSignal.any([signal, late]));
    if (outcome.kind !== "reviewed") throw failureOfOutcome(outcome);
    return outcome;
  } catch (error) {
    if (error !== late.reason) throw error;
    throw new JobFailure("The review of the changes took too long.", "site", false, { cause: error });
  } finally {
    await reviewing.remove();
  }
}

/** Names of tools that may appear in events; a model may make up others. */
const toolName = /^[a-z_]{1,20}$/;

/**
 * The model of one run: the task for its process, and the answers to the calls of that process. Undefined if the job
 * uses no model.
 *
 * @throws {JobFailure} if this worker has no model.
 */
export function openAgentModel(
  { job, prompt, earlier }: AgentRun,
  { languageModel: model, limits: given, network, retryMs }: AgentSettings,
  record: JobRecord,
  signal: AbortSignal,
) {
  if (job.mode !== "model") return undefined;
  if (!model)
    throw new JobFailure("This worker has no language model. Set OFFPRINT_MODEL where it runs.", "environment", false);
  const limits: RunLimits = { ...runLimitDefaults, ...given };
  const onRetry = (why: string): Promise<void> => record.add("warning", why);
  const calls = createModelCalls({ model, limits, network, retryMs, signal, now: () => performance.now(), onRetry });
  const usedText = (): string => {
    const { requests, tokens } = calls.used();
    return `Requests to the model: ${requests}. Tokens: ${tokens.toLocaleString("en-US")}.`;
  };
  return {
    taskWith: (instructions: string | undefined): ModelTask => ({
      provider: model.provider,
      url: model.url,
      model: model.model,
      prompt,
      earlier,
      limits,
      ...(instructions !== undefined && { instructions }),
    }),
    answers: {
      "ask model": ({ body }) => calls.answer(body),
      async "used tool"({ tool, path, isRefused }) {
        const name = toolName.test(tool) ? tool : "an unknown tool";
        const at = path === undefined ? "" : ` ${JSON.stringify(path.slice(0, 200))}`;
        await record.add("info", `${name}${at}${isRefused ? " was refused" : ""}. ${usedText()}`);
      },
    } satisfies TaskAnswers,
    recordUse: (): Promise<void> => record.add("info", usedText()),
  };
}
type AgentModel = NonNullable<ReturnType<typeof openAgentModel>>;
