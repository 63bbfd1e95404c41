import type { Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person-store.js";
import type {
  AgentJob,
  AgentMessage,
  AgentResult,
  AgentStarted,
  AgentStatus,
  AgentStore,
  NewAgentJob,
} from "./agent-store.js";
import { createJob } from "./create-job.js";
import { endJob } from "./end-job.js";
import type { Job, NewJob } from "./job.js";
import { cursorOf, positionOf } from "./job.js";
import { addLogLine, agentEvents } from "./job-logs.js";
import { newId } from "./job-rows.js";
import type { Created, IdempotencyKey, Lease } from "./job-store.js";
import { whileLeased } from "./leased-job.js";

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
    action: "agent.start" | "agent.message",
    by: Actor | undefined,
  ): Promise<AgentStarted> => {
    const insertRun = async (transaction: Transaction, { jobId }: Job): Promise<void> => {
      await onCreated(transaction);
      await transaction.query("insert into agent_messages (job_id, prompt, created_at) values ($1, $2, $3)", [
        jobId,
        prompt.toWellFormed().replaceAll("\0", "�"),
        now(),
      ]);
      await addLogLine(deps, transaction, jobId, "info", "The job is queued.");
    };
    const audit = (transaction: Transaction, { organizationId, agentJobId, domain }: Job) =>
      insertAuditEntry(transaction, now(), { organizationId, ...by, action, subject: agentJobId!, detail: domain });
    return started(await createJob(deps, job, once, insertRun, audit));
  };
  /** Adds a line about a job that exists. */
  const auditJob = async (transaction: Transaction, agentJobId: string, action: string, by: Actor | undefined) => {
    const [row] = await transaction.query(
      `select agent_jobs.organization_id, domain from agent_jobs
       left join projects on projects.project_id = agent_jobs.project_id where agent_job_id = $1`,
      [agentJobId],
    );
    const organizationId = row!["organization_id"] as string;
    const detail = (row!["domain"] as string | null) ?? "";
    await insertAuditEntry(transaction, now(), { organizationId, ...by, action, subject: agentJobId, detail });
  };
  const endRuns = async (transaction: Transaction, agentJobId: string, error: string): Promise<boolean> => {
    const runs = await transaction.query(
      "select job_id from jobs where agent_job_id = $1 and finished_at is null order by position",
      [agentJobId],
    );
    for (const run of runs) await endJob(deps, transaction, run["job_id"] as string, { error });
    return runs.length > 0;
  };

  const storeText = (lease: Lease, column: "patch" | "reply", text: string): Promise<boolean> =>
    whileLeased(deps, lease, async (transaction) => {
      const stored = text.toWellFormed().replaceAll("\0", "�");
      await transaction.query(`update agent_messages set ${column} = $2 where job_id = $1`, [lease.job.jobId, stored]);
      return true;
    });

  return {
    create(job, prompt, once, by) {
      const agentJobId = newId("aj");
      const run = { ...runOf(job), agentJobId };
      const insert = (transaction: Transaction) => insertAgentJob(deps, transaction, agentJobId, job);
      return queueRun(run, prompt, once, insert, "agent.start", by);
    },
    async addMessage(agentJobId, { prompt, domain, requestedBy }, once, by) {
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
        const requireOpen = async (transaction: Transaction): Promise<void> => {
          const open = await transaction.query(
            "update agent_jobs set ref = ref where agent_job_id = $1 and archived_at is null returning position",
            [agentJobId],
          );
          if (open.length === 0) throw new ArchivedError();
        };
        return await queueRun(run, prompt, once, requireOpen, "agent.message", by);
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
    async cancel(agentJobId, reason, by) {
      await database.transaction(async (transaction) => {
        if (await endRuns(transaction, agentJobId, reason)) await auditJob(transaction, agentJobId, "agent.cancel", by);
      });
      return get(agentJobId);
    },
    async archive(agentJobId, by) {
      await database.transaction(async (transaction) => {
        const archived = await transaction.query(
          `update agent_jobs set archived_at = $2 where agent_job_id = $1 and archived_at is null
           returning agent_job_id`,
          [agentJobId, now()],
        );
        await endRuns(transaction, agentJobId, "The job was archived.");
        if (archived.length > 0) await auditJob(transaction, agentJobId, "agent.archive", by);
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
