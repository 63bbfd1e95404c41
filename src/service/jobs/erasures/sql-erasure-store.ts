import type { Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { actorText, insertAuditEntry, pseudonymFor } from "../people/audit-log.js";
import type { Actor } from "../people/person-store.js";
import { endJob } from "../queue/end-job.js";
import { newId } from "../queue/job-rows.js";
import { listWorkers } from "../queue/sql-job-store.js";
import { erasePerson, refusalFor } from "./erase-person.js";
import { addCaches, type Counts, deleteRows, eraseSite, type Outside, organizationTables } from "./erase-site.js";
import type {
  ErasedObjects,
  Erasure,
  ErasureRefusal,
  ErasureStore,
  ErasureTarget,
  ErasureWork,
} from "./erasure-store.js";

/** The column `work`. */
interface Work extends Outside {
  readonly database: Counts;
  readonly auditLog?: Erasure["auditLog"];
  readonly objects?: ErasedObjects;
  /** Whether the objects were removed after all workers had confirmed. */
  readonly isSwept?: boolean;
}

interface Erased extends Outside {
  readonly subject: string;
  readonly organizationId?: string;
  readonly database: Counts;
  readonly auditLog?: Erasure["auditLog"];
}

/** How soon it is looked again whether the workers have confirmed. */
const pauseMs = 3000;

const nothingOutside = (): Outside => ({ projects: [], jobIds: [], objectKeys: [], repositories: [] });

export function createErasureStore(deps: StoreDeps): ErasureStore {
  const { database, now } = deps;

  const get = async (erasureId: string): Promise<Erasure | undefined> => {
    const [row] = await database.read("select * from erasures where erasure_id = $1", [erasureId]);
    return row && receiptOf(deps, row);
  };
  const unconfirmedWorkers = async (erasureId: string): Promise<number> => {
    const confirmed = await database.read("select worker_id from erasure_workers where erasure_id = $1", [erasureId]);
    const ids = new Set(confirmed.map((row) => row["worker_id"]));
    return (await listWorkers(deps)).filter(({ workerId, isAlive }) => isAlive && !ids.has(workerId)).length;
  };

  return {
    async erase(target, by = {}) {
      const erasureId = newId("ers");
      const refusal = await database.transaction(async (transaction) => {
        const erased = await eraseTarget(deps, transaction, target, by);
        if ("kind" in erased) return erased;
        // Who is erased with the target has no name any more.
        const requestedBy = await actorText(transaction, by);
        const { subject, organizationId, ...work } = erased;
        await transaction.query(
          `insert into erasures (erasure_id, kind, subject, organization_id, requested_by, work, created_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [erasureId, target.kind, subject, organizationId, requestedBy, JSON.stringify(work), now()],
        );
        return undefined;
      });
      return refusal ?? (await get(erasureId))!;
    },
    get,
    async list(limit) {
      const rows = await database.read("select * from erasures order by created_at desc, erasure_id limit $1", [limit]);
      return Promise.all(rows.map((row) => receiptOf(deps, row)));
    },

    async takeWork(holdMs, erasureId) {
      const [row] = await database.transaction((transaction) =>
        transaction.query(
          `update erasures set held_until = $2 where finished_at is null and erasure_id =
             (select erasure_id from erasures where finished_at is null and coalesce(held_until, 0) <= $1
                and (cast($3 as text) is null or erasure_id = $3) order by created_at limit 1)
           returning erasure_id, work`,
          [now(), now() + holdMs, erasureId],
        ),
      );
      if (!row) return undefined;
      const work = workOf(row);
      // Read before the objects are removed: no worker stores an object after it has confirmed.
      const isConfirmed = work.projects.length === 0 || (await unconfirmedWorkers(work.erasureId)) === 0;
      const { objects, isSwept = false } = JSON.parse(row["work"] as string) as Work;
      return { ...work, isConfirmed, hasObjects: objects === undefined || (isConfirmed && !isSwept) };
    },
    async objectsRemoved(erasureId, { bundles, caches }, isConfirmed) {
      await database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          "update erasures set held_until = held_until where erasure_id = $1 and finished_at is null returning *",
          [erasureId],
        );
        if (!row) return;
        const work = JSON.parse(row["work"] as string) as Work;
        const before = work.objects ?? { bundles: 0, caches: 0 };
        const objects = { bundles: before.bundles + bundles, caches: before.caches + caches };
        const isComplete = isConfirmed && (await countWebhooks(transaction.query, work)) === 0;
        if (isComplete && row["kind"] !== "bundle")
          for (const jobId of work.jobIds)
            await deleteRows(transaction, work.database, "jobs", "job_id = $1 and finished_at is not null", [jobId]);
        await transaction.query(
          "update erasures set work = $2, finished_at = $3, held_until = $4 where erasure_id = $1",
          [
            erasureId,
            JSON.stringify({ ...work, objects, isSwept: isConfirmed }),
            isComplete ? now() : null,
            now() + pauseMs,
          ],
        );
      });
    },
    async unconfirmed(workerId) {
      const rows = await database.read(
        `select erasure_id, work from erasures where not exists (select 1 from erasure_workers
           where erasure_workers.erasure_id = erasures.erasure_id and worker_id = $1) order by created_at`,
        [workerId],
      );
      return rows.map(workOf).filter(({ projects }) => projects.length > 0);
    },
    async confirm(erasureId, workerId, files) {
      await database.transaction((transaction) =>
        transaction.query(
          `insert into erasure_workers (erasure_id, worker_id, files, confirmed_at) values ($1, $2, $3, $4)
           on conflict (erasure_id, worker_id) do nothing`,
          [erasureId, workerId, files, now()],
        ),
      );
    },
  };
}

const workOf = (row: Row): ErasureWork => ({
  ...(JSON.parse(row["work"] as string) as Work),
  erasureId: row["erasure_id"] as string,
});

async function countWebhooks(query: Transaction["query"], { jobIds }: Pick<Work, "jobIds">): Promise<number> {
  const waiting = await query("select job_id from deliveries");
  const ids = new Set(jobIds);
  return waiting.filter((row) => ids.has(row["job_id"] as string)).length;
}

async function receiptOf(deps: StoreDeps, row: Row): Promise<Erasure> {
  const erasureId = row["erasure_id"] as string;
  const work = JSON.parse(row["work"] as string) as Work;
  const confirmed = await deps.database.read(
    "select * from erasure_workers where erasure_id = $1 order by confirmed_at, worker_id",
    [erasureId],
  );
  const ids = new Set(confirmed.map((each) => each["worker_id"]));
  const isOpen = row["finished_at"] === null && work.projects.length > 0;
  const waiting = isOpen
    ? (await listWorkers(deps)).filter(({ workerId, isAlive }) => isAlive && !ids.has(workerId))
    : [];
  return {
    erasureId,
    kind: row["kind"] as Erasure["kind"],
    subject: row["subject"] as string,
    requestedBy: row["requested_by"] as string,
    requestedAt: new Date(row["created_at"] as number),
    ...(row["finished_at"] !== null && { completedAt: new Date(row["finished_at"] as number) }),
    database: work.database,
    ...(work.auditLog && { auditLog: work.auditLog }),
    ...(work.objects && { objects: work.objects }),
    workers: [
      ...confirmed.map((each) => ({
        workerId: each["worker_id"] as string,
        confirmedAt: new Date(each["confirmed_at"] as number),
        files: each["files"] as number,
      })),
      ...waiting.map(({ workerId }) => ({ workerId })),
    ],
    pendingWebhooks: isOpen ? await countWebhooks(deps.database.read, work) : 0,
  };
}

async function eraseTarget(
  deps: StoreDeps,
  transaction: Transaction,
  target: ErasureTarget,
  by: Actor,
): Promise<Erased | ErasureRefusal> {
  const at = deps.now();
  const database: Counts = {};
  const outside = nothingOutside();
  if (target.kind === "person") {
    await transaction.lock("people");
    const { personId, onlyIn, keepNames = false } = target;
    const [person] = await transaction.query("select * from people where person_id = $1", [personId]);
    if (!person) return { kind: "unknown" };
    const refusal = await refusalFor(transaction, personId, onlyIn);
    if (refusal) return refusal;
    await erasePerson(transaction, at, person, { by, keepNames, onlyIn }, database);
    return { subject: pseudonymFor(personId), database, ...outside };
  }
  const { organizationId } = target;
  const audit = (action: string, subject: string, detail = "") =>
    insertAuditEntry(transaction, at, { organizationId, ...by, action, subject, detail });
  if (target.kind === "organization") return eraseOrganization(deps, transaction, organizationId, by);
  if (target.kind === "site") {
    const { domain } = target;
    const [project] = await transaction.query(
      "select * from projects where organization_id = $1 and domain = $2 and removed_at is null",
      [organizationId, domain],
    );
    if (!project) return { kind: "unknown" };
    await eraseSite(deps, transaction, project, database, outside);
    await audit("site.remove", domain);
    return { subject: domain, organizationId, database, ...outside };
  }
  if (target.kind === "thread") {
    const { threadId } = target;
    const [thread] = await transaction.query(
      `select domain from threads join projects on projects.project_id = threads.project_id
       where thread_id = $1 and organization_id = $2`,
      [threadId, organizationId],
    );
    if (!thread) return { kind: "unknown" };
    await deleteRows(transaction, database, "thread_turns", "thread_id = $1", [threadId]);
    await deleteRows(transaction, database, "threads", "thread_id = $1", [threadId]);
    await audit("questions.delete", threadId, thread["domain"] as string);
    return { subject: threadId, organizationId, database, ...outside };
  }
  const { jobId } = target;
  const [job] = await transaction.query(
    "select * from jobs where job_id = $1 and organization_id = $2 and object_key is not null",
    [jobId, organizationId],
  );
  if (!job) return { kind: "unknown" };
  // Programs of any release then give no link to it, and do not answer from it.
  await transaction.query(
    `update jobs set status = 'failed', error = 'The bundle was withdrawn.', object_key = null, bundle_bytes = null,
       bundle_sha256 = null, diagnostics_key = null, updated_at = $2 where job_id = $1`,
    [jobId, at],
  );
  await transaction.notify(jobId);
  outside.jobIds.push(jobId);
  outside.objectKeys.push(job["object_key"] as string);
  const [project] = await transaction.query("select * from projects where project_id = $1", [job["project_id"]!]);
  if (project) addCaches(project, outside);
  await audit("job.withdraw", jobId, job["domain"] as string);
  return { subject: jobId, organizationId, database: { jobs: 1 }, ...outside };
}

async function eraseOrganization(
  deps: StoreDeps,
  transaction: Transaction,
  organizationId: string,
  by: Actor,
): Promise<Erased | ErasureRefusal> {
  const counts: Counts = {};
  const outside = nothingOutside();
  await transaction.lock("people");
  const [organization] = await transaction.query(
    "update organizations set name = name where organization_id = $1 returning name",
    [organizationId],
  );
  if (!organization) return { kind: "unknown" };
  const projects = await transaction.query("select * from projects where organization_id = $1", [organizationId]);
  for (const project of projects) await eraseSite(deps, transaction, project, counts, outside);
  counts["projects"] = 0;
  const unfinished = await transaction.query(
    "select job_id from jobs where organization_id = $1 and finished_at is null",
    [organizationId],
  );
  for (const job of unfinished)
    await endJob(deps, transaction, job["job_id"] as string, { error: "The organization was deleted." });
  const people = await transaction.query(
    `select * from people where person_id in (select person_id from memberships where organization_id = $1)
       and not exists (select 1 from memberships where memberships.person_id = people.person_id
                         and memberships.organization_id <> $1)`,
    [organizationId],
  );
  for (const person of people)
    await erasePerson(transaction, deps.now(), person, { by, keepNames: false, onlyIn: organizationId }, counts);
  await transaction.query("update sessions set organization_id = null where organization_id = $1", [organizationId]);
  const [head] = await transaction.query("select lines, hash from audit_heads where organization_id = $1", [
    organizationId,
  ]);
  for (const table of organizationTables)
    await deleteRows(transaction, counts, table, "organization_id = $1", [organizationId]);
  return {
    subject: organizationId,
    organizationId,
    database: counts,
    auditLog: {
      lines: (head?.["lines"] as number | undefined) ?? 0,
      head: (head?.["hash"] as string | undefined) ?? "",
    },
    ...outside,
  };
}
