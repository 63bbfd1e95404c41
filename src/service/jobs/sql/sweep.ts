import type { Row } from "./database.js";
import { endJob } from "./end-job.js";
import { takeFromDead } from "./leave-job.js";
import type { Parts } from "./parts.js";

/**
 * Puts right what the dead have left, and says how many jobs that changed. Each is a transaction of its own, so that
 * one in the way holds up no other.
 *
 * The dead are told from the living by what this process has itself seen of them, never by their clocks. So the sweep
 * has nobody to bury in its first `leaseMs`, and is to be run again and again.
 */
export function createSweep(parts: Parts): () => Promise<number> {
  const { rules, now } = parts;
  let beats = new Map<string, number>();
  let lastSignAt = now();
  return async () => {
    const workers = await parts.database.read("select worker_id, beats from workers");
    const seen = new Map(workers.map((row) => [row["worker_id"] as string, row["beats"] as number]));
    if ([...seen].some(([workerId, count]) => beats.get(workerId) !== count)) lastSignAt = now();
    beats = seen;

    let changed = await takeFromSilent(parts);
    if (now() - lastSignAt >= rules.queueAgeMs) changed += await endForsaken(parts);
    await forgetOld(parts);
    return changed;
  };
}

/** Leases that have run out. */
async function takeFromSilent(parts: Parts): Promise<number> {
  const rows = await parts.database.read("select job_id, worker_id, attempt from jobs where worker_id is not null");
  const held = new Map(rows.map((row) => [row["job_id"] as string, row]));
  let taken = 0;
  for (const jobId of await parts.queue.silent([...held.keys()])) {
    const row = held.get(jobId)!;
    const holder = { workerId: row["worker_id"] as string, fence: row["attempt"] as number };
    if (await takeFromDead(parts, jobId, holder)) taken++;
  }
  return taken;
}

/** Jobs that wait, whether for their first attempt or the next, while no worker lives. */
async function endForsaken(parts: Parts): Promise<number> {
  const { queueAgeMs } = parts.rules;
  const rows = await parts.database.read(
    "select job_id from jobs where finished_at is null and waiting_since <= $1 order by position limit 1000",
    [parts.now() - queueAgeMs],
  );
  const error = `No worker took the export within ${Math.round(queueAgeMs / 1000)} s, and none is alive. Start a worker.`;
  const end = ({ job_id: jobId }: Row) =>
    parts.database.transaction((transaction) => endJob(parts, transaction, jobId as string, { error }));
  let ended = 0;
  for (const row of rows) if (await end(row)) ended++;
  return ended;
}

/** What is of no more use to anyone. */
async function forgetOld(parts: Parts): Promise<void> {
  const now = parts.now();
  await parts.database.transaction(async (transaction) => {
    await transaction.query("delete from idempotency_keys where created_at <= $1", [now - parts.rules.idempotencyMs]);
    await transaction.query("delete from uses where ends_at <= $1", [now]);
    await transaction.query("delete from workers where seen_at <= $1", [now - 100 * parts.rules.workerLifeMs]);
    await transaction.query(
      `delete from projects where removed_at is not null
         and not exists (select 1 from jobs where jobs.project_id = projects.project_id)`,
    );
  });
}
