import type { Query, Row, Transaction } from "../database/database.js";
import { newId } from "../database/rows.js";
import { type StoreDeps, workTopic } from "../database/store-deps.js";
import type { Created, IdempotencyKey, Job, NewJob } from "./job.js";
import { jobOf, queuedJobOf } from "./job-rows.js";

/**
 * Creates a job and queues it in one transaction, or returns the job that `once` created earlier. Refuses a job of an
 * organization that has `maxQueued` queued jobs.
 *
 * @param onCreated writes what belongs to the new job, in the same transaction.
 * @param audit adds the line of the audit log.
 */
export function createJob(
  deps: StoreDeps,
  request: NewJob,
  once: IdempotencyKey | undefined,
  audit: (transaction: Transaction, job: Job) => Promise<void>,
  onCreated?: (transaction: Transaction, job: Job) => Promise<void>,
): Promise<Created> {
  return deps.database.transaction(async (transaction) => {
    const { organizationId } = request;
    const earlier = once && (await earlierJob(deps, transaction.query, organizationId, once));
    if (earlier) return earlier;
    // Two processes that count at the same time could exceed the limit.
    await transaction.lock(`jobs of ${organizationId}`);
    const { maxQueued } = deps.rules;
    if ((await countQueued(transaction, organizationId)) >= maxQueued)
      return (once && (await earlierJob(deps, transaction.query, organizationId, once))) ?? { kind: "full", maxQueued };
    const row = await insertJob(deps, transaction, request);
    const job = jobOf(row);
    if (once && !(await claimKey(deps, transaction, job, once))) {
      // A concurrent transaction used the key first and has committed.
      await transaction.query`delete from jobs where job_id = ${job.jobId}`;
      return (await earlierJob(deps, transaction.query, organizationId, once))!;
    }
    await onCreated?.(transaction, job);
    await deps.queue.add(transaction, queuedJobOf(row), organizationId);
    await transaction.notify(workTopic);
    await audit(transaction, job);
    return { kind: "created", job };
  });
}

/** The result of an earlier request with the key. */
export async function earlierJob(
  { now, rules }: StoreDeps,
  query: Query,
  organizationId: string,
  { route, key, requestHash }: IdempotencyKey,
): Promise<Created | undefined> {
  const [row] = await query`select jobs.*, request_hash from idempotency_keys
    join jobs on jobs.job_id = idempotency_keys.job_id
    where idempotency_keys.organization_id = ${organizationId} and route = ${route} and key = ${key}
      and idempotency_keys.created_at > ${now() - rules.idempotencyMs}`;
  if (!row) return undefined;
  return row["request_hash"] === requestHash ? { kind: "repeated", job: jobOf(row) } : { kind: "mismatch" };
}

async function countQueued({ query }: Transaction, organizationId: string): Promise<number> {
  const [row] = await query`select count(*) as jobs from jobs
    where organization_id = ${organizationId} and finished_at is null and status = 'queued'`;
  return row!["jobs"] as number;
}

async function insertJob(deps: StoreDeps, { query }: Transaction, request: NewJob): Promise<Row> {
  const { organizationId, projectId, domain, version, paths, webhookUrl, requestedBy, agentJobId, audience } = request;
  const jobId = newId(agentJobId === undefined ? "se" : "ar");
  const now = deps.now();
  const [row] = await query`insert into jobs (job_id, organization_id, project_id, domain, version, paths, webhook_url,
      requested_by, agent_job_id, audience, created_at, updated_at, waiting_since, status, progress, page_count, attempt,
      worked_ms)
    values (${jobId}, ${organizationId}, ${projectId}, ${domain}, ${version}, ${paths && JSON.stringify(paths)},
      ${webhookUrl}, ${requestedBy}, ${agentJobId}, ${audience && JSON.stringify(audience)}, ${now}, ${now}, ${now},
      'queued', 0, 0, 0, 0) returning *`;
  return row!;
}

/** Waits for a concurrent transaction that is about to claim the key. False if an earlier job has it. */
async function claimKey(
  deps: StoreDeps,
  { query }: Transaction,
  { organizationId, jobId }: Job,
  { route, key, requestHash }: IdempotencyKey,
): Promise<boolean> {
  const now = deps.now();
  const claimed = await query`insert into idempotency_keys
      (organization_id, route, key, request_hash, job_id, created_at)
    values (${organizationId}, ${route}, ${key}, ${requestHash}, ${jobId}, ${now})
    on conflict (organization_id, route, key) do update
      set request_hash = excluded.request_hash, job_id = excluded.job_id, created_at = excluded.created_at
      where idempotency_keys.created_at <= ${now - deps.rules.idempotencyMs}
    returning job_id`;
  return claimed.length > 0;
}
