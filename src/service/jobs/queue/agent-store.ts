import { type Row, raw, type Transaction } from "../database/database.js";
import { newId, pageOf, positionOf, recordReader, storable } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person.js";
import type * as types from "./agent-job.js";
import { createJob } from "./create-job.js";
import { endJob } from "./end-job.js";
import type { Created, IdempotencyKey, Job, Lease, LogPage, NewJob } from "./job.js";
import { addLogLine, agentEvents } from "./job-rows.js";
import { completeLeased, whileLeased } from "./leased-job.js";

const status = raw(`case when archived_at is not null then 'archived'
  when jobs.status in ('queued', 'running') then 'active' else jobs.status end`);
const columns = raw(`agent_jobs.*, ${status.texts[0]} as status, jobs.job_id as run_id,
  jobs.finished_at as finished_at, jobs.error as error,
  (select prompt from agent_messages where agent_messages.job_id = jobs.job_id) as prompt`);
/** Each job with its last run. */
const jobsWithRun = raw(`agent_jobs join jobs on jobs.position =
  (select max(position) from jobs where jobs.agent_job_id = agent_jobs.agent_job_id)`);

/** Rolls back a message to an archived job. */
class ArchivedError extends Error {}

export type AgentStore = ReturnType<typeof createAgentStore>;

/**
 * Agent jobs. Their runs are leased, renewed, failed and released by `JobStore`. Every call is one transaction. `by` is
 * who makes the change, for the audit log.
 */
export function createAgentStore(deps: StoreDeps) {
  const { database, now } = deps;

  const get = async (agentJobId: string): Promise<types.AgentJob | undefined> => {
    const [row] =
      await database.read`select ${columns} from ${jobsWithRun} where agent_jobs.agent_job_id = ${agentJobId}`;
    return row && agentJobOf(row);
  };
  const started = async (created: Created): Promise<types.AgentStarted> =>
    "job" in created ? { kind: created.kind, job: (await get(created.job.agentJobId!))! } : created;
  /** @param onCreated as in `createJob`, before the prompt is stored. */
  const queueRun = async (
    run: NewJob,
    prompt: string,
    once: IdempotencyKey | undefined,
    onCreated: (transaction: Transaction) => Promise<void>,
    action: "agent.start" | "agent.message",
    by: Actor | undefined,
  ): Promise<types.AgentStarted> => {
    const audit = (transaction: Transaction, { organizationId, agentJobId, domain }: Job) =>
      insertAuditEntry(transaction, now(), { organizationId, ...by, action, subject: agentJobId!, detail: domain });
    const insertRun = async (transaction: Transaction, { jobId }: Job): Promise<void> => {
      await onCreated(transaction);
      await transaction.query`insert into agent_messages (job_id, prompt, created_at)
        values (${jobId}, ${storable(prompt)}, ${now()})`;
      await addLogLine(deps, transaction, jobId, "info", "The job is queued.");
    };
    return started(await createJob(deps, run, once, audit, insertRun));
  };
  const auditJob = async (transaction: Transaction, agentJobId: string, action: string, by: Actor | undefined) => {
    const [row] = await transaction.query`select agent_jobs.organization_id, domain from agent_jobs
      left join projects on projects.project_id = agent_jobs.project_id where agent_job_id = ${agentJobId}`;
    const organizationId = row!["organization_id"] as string;
    const detail = (row!["domain"] as string | null) ?? "";
    await insertAuditEntry(transaction, now(), { organizationId, ...by, action, subject: agentJobId, detail });
  };
  const endRuns = async (transaction: Transaction, agentJobId: string, error: string): Promise<boolean> => {
    const runs = await transaction.query`select job_id from jobs
      where agent_job_id = ${agentJobId} and finished_at is null order by position`;
    for (const run of runs) await endJob(deps, transaction, run["job_id"] as string, { error });
    return runs.length > 0;
  };
  const storeText = (lease: Lease, column: "patch" | "reply", text: string): Promise<boolean> =>
    whileLeased(deps, lease, async ({ query }) => {
      await query`update agent_messages set ${raw(column)} = ${storable(text)} where job_id = ${lease.job.jobId}`;
    });

  return {
    /** @param once see `JobStore.create`. */
    create(job: types.NewAgentJob, prompt: string, once?: IdempotencyKey, by?: Actor): Promise<types.AgentStarted> {
      const agentJobId = newId("aj");
      const { organizationId, projectId, domain, requestedBy } = job;
      const run = { organizationId, projectId, domain, requestedBy, agentJobId };
      const insert = (transaction: Transaction) => insertAgentJob(transaction, agentJobId, job, now());
      return queueRun(run, prompt, once, insert, "agent.start", by);
    },
    /** Queues another run. Undefined if there is no such job, or if it is archived. */
    async addMessage(
      agentJobId: string,
      message: { readonly prompt: string; readonly domain: string; readonly requestedBy?: string | undefined },
      once?: IdempotencyKey,
      by?: Actor,
    ): Promise<types.AgentStarted | undefined> {
      const { prompt, domain, requestedBy } = message;
      const job = await get(agentJobId);
      if (!job) return undefined;
      const { organizationId, projectId } = job;
      const requireOpen = async ({ query }: Transaction): Promise<void> => {
        const open = await query`update agent_jobs set ref = ref
          where agent_job_id = ${agentJobId} and archived_at is null returning position`;
        if (open.length === 0) throw new ArchivedError();
      };
      try {
        const run = { organizationId, projectId, domain, agentJobId, requestedBy };
        return await queueRun(run, prompt, once, requireOpen, "agent.message", by);
      } catch (error) {
        if (error instanceof ArchivedError) return undefined;
        throw error;
      }
    },
    get,
    /** Newest first. */
    async list(page: types.AgentJobPage): Promise<types.AgentJobList> {
      const { organizationId, projectId, status: wantedStatus, limit, cursor, skip = 0 } = page;
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(cursor);
      const rows = await database.read`select ${columns} from ${jobsWithRun}
        where agent_jobs.organization_id = ${organizationId} and agent_jobs.position < ${before}
          and (cast(${projectId} as text) is null or agent_jobs.project_id = ${projectId})
          and (cast(${wantedStatus} as text) is null or ${wantedStatus} = ${status})
        order by agent_jobs.position desc limit ${limit + 1} offset ${skip}`;
      const { shown, next } = pageOf(rows, limit, "position");
      return { jobs: shown.map(agentJobOf), next };
    },
    /** Fails the unfinished runs with `reason`. Undefined if there is no such job. */
    async cancel(agentJobId: string, reason: string, by?: Actor): Promise<types.AgentJob | undefined> {
      await database.transaction(async (transaction) => {
        if (await endRuns(transaction, agentJobId, reason)) await auditJob(transaction, agentJobId, "agent.cancel", by);
      });
      return get(agentJobId);
    },
    /** Archives the job, and fails its unfinished runs. Undefined if there is no such job. */
    async archive(agentJobId: string, by?: Actor): Promise<types.AgentJob | undefined> {
      await database.transaction(async (transaction) => {
        const archived = await transaction.query`update agent_jobs set archived_at = ${now()}
          where agent_job_id = ${agentJobId} and archived_at is null returning agent_job_id`;
        await endRuns(transaction, agentJobId, "The job was archived.");
        if (archived.length > 0) await auditJob(transaction, agentJobId, "agent.archive", by);
      });
      return get(agentJobId);
    },

    /** The task of a run. Undefined if there is no such run. */
    async run(runId: string): Promise<types.AgentRun | undefined> {
      const [run] = await database.read`select jobs.agent_job_id, jobs.position, prompt from jobs
        join agent_messages on agent_messages.job_id = jobs.job_id where jobs.job_id = ${runId}`;
      const job = run && (await get(run["agent_job_id"] as string));
      if (!job) return undefined;
      const earlier = await database.read`select prompt, reply from agent_messages
        join jobs on jobs.job_id = agent_messages.job_id
        where jobs.agent_job_id = ${job.agentJobId} and jobs.position < ${run["position"]} order by jobs.position`;
      const [repair] =
        job.mode === "repair" && job.ref === undefined
          ? await database.read`select ref, pull_request from agent_jobs where project_id = ${job.projectId}
              and repository = ${job.repository} and mode = 'repair' and ref is not null order by position desc limit 1`
          : [];
      const prompts = earlier.map(recordReader<Pick<types.AgentMessage, "prompt" | "reply">>(["prompt", "reply"]));
      const earlierRepair = repair && recordReader<types.AgentResult>(["ref", "pullRequest"])(repair);
      return { job, runId, prompt: run["prompt"] as string, ...(earlierRepair && { earlierRepair }), earlier: prompts };
    },
    /** Stores the branch and pull request of the run. False if its lease is lost. */
    update: (lease: Lease, result: types.AgentResult) =>
      whileLeased(deps, lease, (transaction) => storeResult(transaction, lease, result)),
    /** Ends the run. False if its lease is lost. A repeated call returns true again. */
    complete: (lease: Lease, result: types.AgentResult): Promise<boolean> =>
      completeLeased(deps, lease, async (transaction) => {
        await storeResult(transaction, lease, result);
        await endJob(deps, transaction, lease.job.jobId, { pageCount: 0 });
      }),

    /** Stores the changes that a run is about to push, as `git diff` prints them. False if its lease is lost. */
    storePatch: (lease: Lease, patch: string) => storeText(lease, "patch", patch),
    /** Stores the model's summary of its work. False if the lease of the run is lost. */
    storeReply: (lease: Lease, reply: string) => storeText(lease, "reply", reply),
    /** The changes of a run; undefined if it has changed nothing, or once they have been deleted for their age. */
    async patch(runId: string): Promise<string | undefined> {
      const [row] = await database.read`select patch from agent_messages where job_id = ${runId}`;
      return (row?.["patch"] as string | null | undefined) ?? undefined;
    },
    /** The prompts, oldest first. */
    async messages(agentJobId: string): Promise<readonly types.AgentMessage[]> {
      const rows =
        await database.read`select prompt, reply, agent_messages.created_at, jobs.job_id as run_id, requested_by
        from agent_messages join jobs on jobs.job_id = agent_messages.job_id
        where jobs.agent_job_id = ${agentJobId} order by jobs.position`;
      return rows.map(messageOf);
    },
    /** The log lines of all runs, oldest first. `cursor` is that of the last event of the previous page. */
    events: (agentJobId: string, page: LogPage) => agentEvents(deps, agentJobId, page),
  };
}

async function insertAgentJob(
  { query }: Transaction,
  agentJobId: string,
  { organizationId, projectId, repository, mode, model, asDraft, branch, requestedBy }: types.NewAgentJob,
  now: number,
): Promise<void> {
  await query`insert into agent_jobs
      (agent_job_id, organization_id, project_id, repository, mode, model, as_draft, branch, requested_by, created_at)
    values (${agentJobId}, ${organizationId}, ${projectId}, ${repository}, ${mode}, ${model}, ${asDraft ? 1 : 0},
      ${branch}, ${requestedBy}, ${now})`;
}

async function storeResult(
  { query }: Transaction,
  { job }: Lease,
  { ref, pullRequest }: types.AgentResult,
): Promise<void> {
  await query`update agent_jobs set ref = ${ref}, pull_request = ${pullRequest}
    where agent_job_id = ${job.agentJobId}`;
}

const messageOf = recordReader<types.AgentMessage>(["runId", "prompt", "reply", "createdAt", "requestedBy"]);

const agentJobFieldsOf = recordReader<Omit<types.AgentJob, "asDraft">>([
  ...(["agentJobId", "organizationId", "projectId", "status", "repository", "mode", "model", "branch", "ref"] as const),
  ...(["pullRequest", "requestedBy", "createdAt", "archivedAt", "finishedAt", "error", "runId", "prompt"] as const),
]);

const agentJobOf = (row: Row): types.AgentJob => ({ ...agentJobFieldsOf(row), asDraft: row["as_draft"] === 1 });
