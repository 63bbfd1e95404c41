import type {
  AgentJob,
  AgentMessage,
  AgentResult,
  AgentStarted,
  AgentStatus,
  AgentStore,
  NewAgentJob,
} from "../agent-store.js";
import { cursorOf, positionOf } from "../cursor.js";
import type { NewJob } from "../job.js";
import type { Created, IdempotencyKey, Lease } from "../job-store.js";
import { createJob } from "./create-job.js";
import type { Row, Transaction } from "./database.js";
import { endJob } from "./end-job.js";
import { agentEvents } from "./job-logs.js";
import { newId } from "./job-rows.js";
import { whileLeased } from "./leased-job.js";
import type { StoreDeps } from "./store-deps.js";

/** How long prompts are kept, and how long a job is not archived after its end. */
const retentionMs = 90 * 24 * 60 * 60_000;

/** Each job with its last run. */
const jobsWithRun = `agent_jobs join jobs on jobs.position =
  (select max(position) from jobs where jobs.agent_job_id = agent_jobs.agent_job_id)`;
const columns = `agent_jobs.*, jobs.job_id as run_id, jobs.status as run_status, jobs.finished_at as run_finished_at,
  jobs.error as run_error`;

/** Rolls back a message to an archived job. */
class ArchivedError extends Error {}

export function createAgentStore(deps: StoreDeps): AgentStore {
  const { database, now } = deps;

  const get: AgentStore["get"] = async (agentJobId) => {
    const [row] = await database.read(`select ${columns} from ${jobsWithRun} where agent_jobs.agent_job_id = $1`, [
      agentJobId,
    ]);
    return row && agentJobOf(row);
  };
  const started = async (created: Created): Promise<AgentStarted> =>
    "job" in created ? { kind: created.kind, job: (await get(created.job.agentJobId!))! } : created;
  /** @param onCreated as in `createJob`, before the prompt is stored. */
  const queueRun = async (
    job: NewJob,
    prompt: string,
    once: IdempotencyKey | undefined,
    onCreated: (transaction: Transaction) => Promise<void>,
  ): Promise<AgentStarted> => {
    const created = await createJob(deps, job, once, async (transaction, { jobId }) => {
      await onCreated(transaction);
      await transaction.query("insert into agent_messages (job_id, prompt, created_at) values ($1, $2, $3)", [
        jobId,
        prompt.toWellFormed().replaceAll("\0", "�"),
        now(),
      ]);
    });
    return started(created);
  };
  const endRuns = async (transaction: Transaction, agentJobId: string, error: string): Promise<void> => {
    const runs = await transaction.query(
      "select job_id from jobs where agent_job_id = $1 and finished_at is null order by position",
      [agentJobId],
    );
    for (const run of runs) await endJob(deps, transaction, run["job_id"] as string, { error });
  };

  const storeText = (lease: Lease, column: "patch" | "reply", text: string): Promise<boolean> =>
    whileLeased(deps, lease, async (transaction) => {
      const stored = text.toWellFormed().replaceAll("\0", "�");
      await transaction.query(`update agent_messages set ${column} = $2 where job_id = $1`, [lease.job.jobId, stored]);
      return true;
    });

  return {
    create(job, prompt, once) {
      const agentJobId = newId("aj");
      const run = { ...runOf(job), agentJobId };
      return queueRun(run, prompt, once, (transaction) => insertAgentJob(deps, transaction, agentJobId, job));
    },
    async addMessage(agentJobId, { prompt, domain, requestedBy }, once) {
      const job = await get(agentJobId);
      if (!job) return undefined;
      const { organizationId, projectId } = job;
      const run = {
        organizationId,
        projectId,
        domain,
        agentJobId,
        ...(requestedBy === undefined ? {} : { requestedBy }),
      };
      try {
        return await queueRun(run, prompt, once, async (transaction) => {
          const open = await transaction.query(
            "update agent_jobs set ref = ref where agent_job_id = $1 and archived_at is null returning position",
            [agentJobId],
          );
          if (open.length === 0) throw new ArchivedError();
        });
      } catch (error) {
        if (error instanceof ArchivedError) return undefined;
        throw error;
      }
    },
    get,
    async list({ organizationId, projectId, status, limit, cursor }) {
      const rows = await database.read(
        `select ${columns} from ${jobsWithRun}
         where agent_jobs.organization_id = $1 and agent_jobs.position < $2
           and (cast($3 as text) is null or agent_jobs.project_id = $3)
           and (cast($4 as text) is null or $4 = ${statusOf})
         order by agent_jobs.position desc limit $5`,
        [
          organizationId,
          cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(cursor),
          projectId,
          status,
          limit + 1,
        ],
      );
      const shown = rows.slice(0, limit);
      return {
        jobs: shown.map(agentJobOf),
        ...(rows.length > limit && { next: cursorOf(shown.at(-1)!["position"] as number) }),
      };
    },
    async cancel(agentJobId, reason) {
      await database.transaction((transaction) => endRuns(transaction, agentJobId, reason));
      return get(agentJobId);
    },
    async archive(agentJobId) {
      await database.transaction(async (transaction) => {
        await transaction.query(
          "update agent_jobs set archived_at = $2 where agent_job_id = $1 and archived_at is null",
          [agentJobId, now()],
        );
        await endRuns(transaction, agentJobId, "The job was archived.");
      });
      return get(agentJobId);
    },

    async run(runId) {
      const [run] = await database.read(
        `select jobs.agent_job_id, jobs.position, prompt from jobs join agent_messages on
         agent_messages.job_id = jobs.job_id where jobs.job_id = $1`,
        [runId],
      );
      const job = run && (await get(run["agent_job_id"] as string));
      if (!job) return undefined;
      const earlier = await database.read(
        `select prompt, reply from agent_messages join jobs on jobs.job_id = agent_messages.job_id
         where jobs.agent_job_id = $1 and jobs.position < $2 order by jobs.position`,
        [job.agentJobId, run["position"]],
      );
      return { job, runId, prompt: run["prompt"] as string, earlier: earlier.map(spokenOf) };
    },
    update: (lease, result) =>
      whileLeased(deps, lease, async (transaction) => {
        await storeResult(transaction, lease, result);
        return true;
      }),
    async complete(lease, result) {
      const { jobId } = lease.job;
      const isCompleted = await whileLeased(deps, lease, async (transaction) => {
        await storeResult(transaction, lease, result);
        await endJob(deps, transaction, jobId, { pageCount: 0 });
        return true;
      });
      if (isCompleted) return true;
      const done = "select 1 as done from jobs where job_id = $1 and status = 'completed' and attempt = $2";
      return (await database.read(done, [jobId, lease.fence])).length > 0;
    },

    storePatch: (lease, patch) => storeText(lease, "patch", patch),
    storeReply: (lease, reply) => storeText(lease, "reply", reply),
    async patch(runId) {
      const [row] = await database.read("select patch from agent_messages where job_id = $1", [runId]);
      return (row?.["patch"] as string | null | undefined) ?? undefined;
    },
    async messages(agentJobId) {
      const rows = await database.read(
        `select agent_messages.*, requested_by from agent_messages join jobs on jobs.job_id = agent_messages.job_id
         where jobs.agent_job_id = $1 order by jobs.position`,
        [agentJobId],
      );
      return rows.map((row) => ({
        runId: row["job_id"] as string,
        ...spokenOf(row),
        createdAt: new Date(row["created_at"] as number),
        ...(row["requested_by"] !== null && { requestedBy: row["requested_by"] as string }),
      }));
    },
    events: (agentJobId, page) => agentEvents(deps, agentJobId, page),
  };
}

/** Archives jobs that ended long ago, and deletes old prompts and the jobs of removed sites. */
export async function pruneAgentJobs(transaction: Transaction, now: number): Promise<void> {
  const before = now - retentionMs;
  await transaction.query(
    `update agent_jobs set archived_at = $1 where archived_at is null
       and (select max(coalesce(finished_at, $1)) from jobs where jobs.agent_job_id = agent_jobs.agent_job_id) <= $2`,
    [now, before],
  );
  await transaction.query(
    "update agent_messages set prompt = '', patch = null, reply = null where created_at <= $1 and prompt <> ''",
    [before],
  );
  const removed = "project_id in (select project_id from projects where removed_at is not null)";
  await transaction.query(`delete from jobs where agent_job_id is not null and finished_at is not null and ${removed}`);
  await transaction.query(
    `delete from agent_jobs where ${removed}
       and not exists (select 1 from jobs where jobs.agent_job_id = agent_jobs.agent_job_id)`,
  );
}

const spokenOf = ({ prompt, reply }: Row): Pick<AgentMessage, "prompt" | "reply"> => ({
  prompt: prompt as string,
  ...(reply !== null && { reply: reply as string }),
});

const statusOf = `case when archived_at is not null then 'archived'
  when jobs.status in ('queued', 'running') then 'active' else jobs.status end`;

const runOf = ({ organizationId, projectId, domain, requestedBy }: NewAgentJob): NewJob => ({
  organizationId,
  projectId,
  domain,
  ...(requestedBy === undefined ? {} : { requestedBy }),
});

async function insertAgentJob(
  { now }: StoreDeps,
  transaction: Transaction,
  agentJobId: string,
  job: NewAgentJob,
): Promise<void> {
  await transaction.query(
    `insert into agent_jobs (agent_job_id, organization_id, project_id, repository, mode, model, as_draft, requested_by,
       created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[agentJobId, job.organizationId, job.projectId, job.repository, job.mode, job.model, job.asDraft ? 1 : 0],
      ...[job.requestedBy, now()],
    ],
  );
}

async function storeResult(transaction: Transaction, { job }: Lease, { ref, pullRequest }: AgentResult): Promise<void> {
  await transaction.query("update agent_jobs set ref = $2, pull_request = $3 where agent_job_id = $1", [
    job.agentJobId,
    ref,
    pullRequest,
  ]);
}

function agentJobOf(row: Row): AgentJob {
  const text = (column: string): string => row[column] as string;
  const date = (column: string): Date | undefined =>
    row[column] === null ? undefined : new Date(row[column] as number);
  const runStatus = text("run_status");
  const isArchived = row["archived_at"] !== null;
  const isActive = runStatus === "queued" || runStatus === "running";
  const optional = {
    ref: row["ref"] as string | null,
    pullRequest: row["pull_request"] as string | null,
    requestedBy: row["requested_by"] as string | null,
    error: row["run_error"] as string | null,
    archivedAt: date("archived_at") ?? null,
    finishedAt: date("run_finished_at") ?? null,
  };
  return {
    agentJobId: text("agent_job_id"),
    organizationId: text("organization_id"),
    projectId: text("project_id"),
    status: isArchived ? "archived" : isActive ? "active" : (runStatus as AgentStatus),
    repository: text("repository"),
    mode: text("mode") as AgentJob["mode"],
    model: text("model"),
    asDraft: row["as_draft"] === 1,
    createdAt: date("created_at")!,
    runId: text("run_id"),
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)) as Partial<AgentJob>),
  };
}
