import type { Job, NewJob } from "../job.js";
import type { Created, IdempotencyKey } from "../job-store.js";
import type { Transaction } from "./database.js";
import { jobOf, newId } from "./job-rows.js";
import { type Parts, workTopic } from "./parts.js";

/** Makes a job and its place in the queue in one transaction, or finds the one that `once` has made before. */
export function createJob(parts: Parts, wanted: NewJob, once: IdempotencyKey | undefined): Promise<Created> {
  return parts.database.transaction(async (transaction) => {
    const { organizationId } = wanted;
    const earlier = once && (await earlierJob(parts, transaction, organizationId, once));
    if (earlier) return earlier;
    const job = await insertJob(parts, transaction, wanted);
    if (once && !(await claimKey(parts, transaction, job, once))) {
      // Someone else was quicker by less than a transaction, and has committed by now.
      await transaction.query("delete from jobs where job_id = $1", [job.jobId]);
      return (await earlierJob(parts, transaction, organizationId, once))!;
    }
    await parts.queue.add(transaction, job.jobId);
    await transaction.ring(workTopic);
    return { kind: "created", job };
  });
}

async function earlierJob(
  parts: Parts,
  transaction: Transaction,
  organizationId: string,
  once: IdempotencyKey,
): Promise<Created | undefined> {
  const [row] = await transaction.query(
    `select jobs.*, request_hash from idempotency_keys join jobs on jobs.job_id = idempotency_keys.job_id
     where idempotency_keys.organization_id = $1 and route = $2 and key = $3 and idempotency_keys.created_at > $4`,
    [organizationId, once.route, once.key, parts.now() - parts.rules.idempotencyMs],
  );
  if (!row) return undefined;
  return row["request_hash"] === once.requestHash ? { kind: "repeated", job: jobOf(row) } : { kind: "mismatch" };
}

async function insertJob(parts: Parts, transaction: Transaction, wanted: NewJob): Promise<Job> {
  const [row] = await transaction.query(
    `insert into jobs (job_id, organization_id, project_id, domain, version, paths, webhook_url, status, progress,
       page_count, attempt, created_at, updated_at, worked_ms, waiting_since)
     values ($1, $2, $3, $4, $5, $6, $7, 'queued', 0, 0, 0, $8, $8, 0, $8) returning *`,
    [
      newId("se"),
      wanted.organizationId,
      wanted.projectId,
      wanted.domain,
      wanted.version,
      wanted.paths && JSON.stringify(wanted.paths),
      wanted.webhookUrl,
      parts.now(),
    ],
  );
  return jobOf(row!);
}

/** False: an earlier job has the key. Waits for whoever is about to take it. */
async function claimKey(parts: Parts, transaction: Transaction, job: Job, once: IdempotencyKey): Promise<boolean> {
  const now = parts.now();
  const claimed = await transaction.query(
    `insert into idempotency_keys (organization_id, route, key, request_hash, job_id, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (organization_id, route, key) do update
       set request_hash = excluded.request_hash, job_id = excluded.job_id, created_at = excluded.created_at
       where idempotency_keys.created_at <= $7
     returning job_id`,
    [job.organizationId, once.route, once.key, once.requestHash, job.jobId, now, now - parts.rules.idempotencyMs],
  );
  return claimed.length > 0;
}
