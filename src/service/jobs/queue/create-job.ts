import type { Row, Transaction } from "../database/database.js";
import { type StoreDeps, workTopic } from "../database/store-deps.js";
import type { Job, NewJob } from "./job.js";
import { jobOf, newId, queuedJobOf } from "./job-rows.js";
import type { Created, IdempotencyKey } from "./job-store.js";

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
  onCreated?: (transaction: Transaction, job: Job) => Promise<void>,
  audit?: (transaction: Transaction, job: Job) => Promise<void>,
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
      await transaction.query("delete from jobs where job_id = $1", [job.jobId]);
      return (await earlierJob(deps, transaction.query, organizationId, once))!;
    }
    await onCreated?.(transaction, job);
    await deps.queue.add(transaction, queuedJobOf(row), organizationId);
    await transaction.notify(workTopic);
    await audit?.(transaction, job);
    return { kind: "created", job };
  });
}

/** The result of an earlier request with the key. */
export async function earlierJob(
  deps: StoreDeps,
  query: Transaction["query"],
  organizationId: string,
  once: IdempotencyKey,
): Promise<Created | undefined> {
  const [row] = await query(
    `select jobs.*, request_hash from idempotency_keys join jobs on jobs.job_id = idempotency_keys.job_id
     where idempotency_keys.organization_id = $1 and route = $2 and key = $3 and idempotency_keys.created_at > $4`,
    [organizationId, once.route, once.key, deps.now() - deps.rules.idempotencyMs],
  );
  if (!row) return undefined;
  return row["request_hash"] === once.requestHash ? { kind: "repeated", job: jobOf(row) } : { kind: "mismatch" };
}

async function countQueued(transaction: Transaction, organizationId: string): Promise<number> {
  const [row] = await transaction.query(
    "select count(*) as jobs from jobs where organization_id = $1 and finished_at is null and status = 'queued'",
    [organizationId],
  );
  return row!["jobs"] as number;
}

async function insertJob(deps: StoreDeps, transaction: Transaction, request: NewJob): Promise<Row> {
  const [row] = await transaction.query(
    `insert into jobs (job_id, organization_id, project_id, domain, version, paths, webhook_url, status, progress,
       page_count, attempt, created_at, updated_at, worked_ms, waiting_since, requested_by, agent_job_id, audience)
     values ($1, $2, $3, $4, $5, $6, $7, 'queued', 0, 0, 0, $8, $8, 0, $8, $9, $10, $11) returning *`,
    [
      newId(request.agentJobId === undefined ? "se" : "ar"),
      request.organizationId,
      request.projectId,
      request.domain,
      request.version,
      request.paths && JSON.stringify(request.paths),
      request.webhookUrl,
      deps.now(),
      request.requestedBy,
      request.agentJobId,
      request.audience && JSON.stringify(request.audience),
    ],
  );
  return row!;
}

/** False: an earlier job has the key. Waits for a concurrent transaction that is about to claim it. */
async function claimKey(deps: StoreDeps, transaction: Transaction, job: Job, once: IdempotencyKey): Promise<boolean> {
  const now = deps.now();
  const claimed = await transaction.query(
    `insert into idempotency_keys (organization_id, route, key, request_hash, job_id, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (organization_id, route, key) do update
       set request_hash = excluded.request_hash, job_id = excluded.job_id, created_at = excluded.created_at
       where idempotency_keys.created_at <= $7
     returning job_id`,
    [job.organizationId, once.route, once.key, once.requestHash, job.jobId, now, now - deps.rules.idempotencyMs],
  );
  return claimed.length > 0;
}
