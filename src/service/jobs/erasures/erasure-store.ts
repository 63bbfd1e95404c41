import { type Query, type Row, sql } from "../database/database.js";
import { newId, recordReader } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { actorText } from "../people/audit-log.js";
import type { Actor } from "../people/person.js";
import { listWorkers } from "../queue/job-store.js";
import { deleteRows, type ErasureCounts, type ExternalCopies } from "./erase-site.js";
import { eraseTarget } from "./erase-target.js";
import type {
  ErasedObjects,
  Erasure,
  ErasureRefusal,
  ErasureTarget,
  ErasureWork,
  ErasureWorker,
  OpenErasure,
} from "./erasure.js";

/** The JSON in the column `work`. */
interface StoredWork extends ExternalCopies {
  readonly database: ErasureCounts;
  readonly auditLog?: Erasure["auditLog"];
  readonly objects?: ErasedObjects;
  /** Whether the objects were removed after all workers had confirmed. */
  readonly isSwept?: boolean;
}

/** Pause between two checks whether the workers have confirmed, in milliseconds. */
const pauseMs = 3000;

export type ErasureStore = ReturnType<typeof createErasureStore>;

/** Erases data for good: from the database at once, then by `takeWork` from the object store and by each worker. */
export function createErasureStore(deps: StoreDeps) {
  const { database, now } = deps;

  const get = async (erasureId: string): Promise<Erasure | undefined> => {
    const [row] = await database.read`select * from erasures where erasure_id = ${erasureId}`;
    return row && receiptOf(deps, row);
  };

  return {
    async erase(target: ErasureTarget, by: Actor = {}): Promise<Erasure | ErasureRefusal> {
      const erasureId = newId("ers");
      const refusal = await database.transaction(async (transaction) => {
        const erased = await eraseTarget(deps, transaction, target, by);
        if ("kind" in erased) return erased;
        // Read after the erasure: an actor who is erased with the target no longer has a name.
        const requestedBy = await actorText(transaction, by);
        const { subject, organizationId, ...work } = erased;
        await transaction.query`insert into erasures
            (erasure_id, kind, subject, organization_id, requested_by, work, created_at)
          values (${erasureId}, ${target.kind}, ${subject}, ${organizationId}, ${requestedBy}, ${JSON.stringify(work)},
            ${now()})`;
        return undefined;
      });
      return refusal ?? (await get(erasureId))!;
    },
    get,
    /** Newest first. */
    async list(limit: number): Promise<readonly Erasure[]> {
      const rows = await database.read`select * from erasures order by created_at desc, erasure_id limit ${limit}`;
      return Promise.all(rows.map((row) => receiptOf(deps, row)));
    },

    /** The next erasure that is not complete; another process does not get it for `holdMs`. */
    async takeWork(holdMs: number, erasureId?: string): Promise<OpenErasure | undefined> {
      const [row] = await database.write`update erasures set held_until = ${now() + holdMs}
        where finished_at is null and erasure_id = (
          select erasure_id from erasures where finished_at is null and coalesce(held_until, 0) <= ${now()}
            and (cast(${erasureId} as text) is null or erasure_id = ${erasureId})
          order by created_at limit 1
        ) returning erasure_id, work`;
      if (!row) return undefined;
      const work = workOf(row);
      // Read before the objects are removed: no worker stores an object after it has confirmed.
      const confirmed = await confirmationsOf(deps, work.erasureId);
      const isConfirmed = work.projects.length === 0 || (await unconfirmedWorkers(deps, confirmed)).length === 0;
      const { objects, isSwept = false } = storedWorkIn(row);
      return { ...work, isConfirmed, hasObjects: objects === undefined || (isConfirmed && !isSwept) };
    },
    /** Records removed objects. Complete if `isConfirmed` (see `takeWork`) and no webhook waits. */
    async objectsRemoved(erasureId: string, { bundles, caches }: ErasedObjects, isConfirmed: boolean): Promise<void> {
      await database.transaction(async (transaction) => {
        const { query } = transaction;
        const [row] = await query`update erasures set held_until = held_until
          where erasure_id = ${erasureId} and finished_at is null returning *`;
        if (!row) return;
        const work = storedWorkIn(row);
        const before = work.objects ?? { bundles: 0, caches: 0 };
        const objects = { bundles: before.bundles + bundles, caches: before.caches + caches };
        const isComplete = isConfirmed && (await countWebhooks(query, work)) === 0;
        if (isComplete && row["kind"] !== "bundle")
          for (const jobId of work.jobIds)
            await deleteRows(transaction, work.database, "jobs", sql`job_id = ${jobId} and finished_at is not null`);
        const newWork = JSON.stringify({ ...work, objects, isSwept: isConfirmed });
        await query`update erasures
          set work = ${newWork}, finished_at = ${isComplete ? now() : null}, held_until = ${now() + pauseMs}
          where erasure_id = ${erasureId}`;
      });
    },
    /** Erasures that this worker has not confirmed. */
    async unconfirmed(workerId: string): Promise<readonly ErasureWork[]> {
      const rows = await database.read`select erasure_id, work from erasures where not exists (
          select 1 from erasure_workers
          where erasure_workers.erasure_id = erasures.erasure_id and worker_id = ${workerId}
        ) order by created_at`;
      return rows.map(workOf).filter(({ projects }) => projects.length > 0);
    },
    /** The worker has removed its copies. */
    async confirm(erasureId: string, workerId: string, files: number): Promise<void> {
      await database.write`insert into erasure_workers (erasure_id, worker_id, files, confirmed_at)
        values (${erasureId}, ${workerId}, ${files}, ${now()}) on conflict (erasure_id, worker_id) do nothing`;
    },
  };
}

const storedWorkIn = (row: Row): StoredWork => JSON.parse(row["work"] as string) as StoredWork;

const workOf = (row: Row): ErasureWork => ({ ...storedWorkIn(row), erasureId: row["erasure_id"] as string });

const confirmationsOf = ({ database }: StoreDeps, erasureId: string): Promise<readonly Row[]> =>
  database.read`select * from erasure_workers where erasure_id = ${erasureId} order by confirmed_at, worker_id`;

async function unconfirmedWorkers(deps: StoreDeps, confirmations: readonly Row[]) {
  const confirmed = new Set(confirmations.map((row) => row["worker_id"]));
  return (await listWorkers(deps)).filter(({ workerId, isAlive }) => isAlive && !confirmed.has(workerId));
}

async function countWebhooks(query: Query, { jobIds }: Pick<StoredWork, "jobIds">): Promise<number> {
  const deliveries = await query`select job_id from deliveries`;
  const ids = new Set(jobIds);
  return deliveries.filter((row) => ids.has(row["job_id"] as string)).length;
}

async function receiptOf(deps: StoreDeps, row: Row): Promise<Erasure> {
  const erasureId = row["erasure_id"] as string;
  const work = storedWorkIn(row);
  const confirmations = await confirmationsOf(deps, erasureId);
  const isOpen = row["finished_at"] === null && work.projects.length > 0;
  const unconfirmed = isOpen ? await unconfirmedWorkers(deps, confirmations) : [];
  return {
    erasureId,
    kind: row["kind"] as Erasure["kind"],
    subject: row["subject"] as string,
    requestedBy: row["requested_by"] as string,
    requestedAt: new Date(row["created_at"] as number),
    ...(row["finished_at"] !== null && { completedAt: new Date(row["finished_at"] as number) }),
    database: work.database,
    auditLog: work.auditLog,
    objects: work.objects,
    workers: [
      ...confirmations.map(recordReader<ErasureWorker>(["workerId", "confirmedAt", "files"])),
      ...unconfirmed.map(({ workerId }) => ({ workerId })),
    ],
    pendingWebhooks: isOpen ? await countWebhooks(deps.database.read, work) : 0,
  };
}
