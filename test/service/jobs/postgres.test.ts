import pg from "pg";
import { PgBoss } from "pg-boss";
import { expect, onTestFinished, test } from "vitest";
import { createNotifier } from "../../../src/service/jobs/database/notifier.js";
import { openPostgresDatabase } from "../../../src/service/jobs/database/postgres-database.js";
import {
  type Job,
  type JobRules,
  type Lease,
  openPostgresState,
  postgresSchemaVersion,
  type State,
} from "../../../src/service/jobs/index.js";
import { startHalfOpenProxy } from "../../support/half-open-proxy.js";
import { startLoopTimer } from "../../support/machine-time.js";
import { emptyDatabase } from "../../support/postgres.js";
import { waitUntil } from "../../support/wait-until.js";
import { bundleOf, createJob, never, newJob } from "./open-test-state.js";
import { startProcess } from "./start-process.js";

async function opened(url: string, rules?: Partial<JobRules>): Promise<State> {
  const state = await openPostgresState({ url, rules });
  onTestFinished(() => state.close());
  return state;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The queue's own maintenance may take the same locks in another order. */
async function lockQueue(client: pg.Client): Promise<void> {
  try {
    await client.query("begin; lock table offprint_queue.job in exclusive mode");
  } catch (error) {
    if ((error as { readonly code?: string }).code !== "40P01") throw error;
    await client.query("rollback");
    await lockQueue(client);
  }
}

test("a process that is killed between creating and queueing a job does neither", async () => {
  const url = await emptyDatabase();
  const state = await opened(url);
  const client = await connected(url);
  await lockQueue(client);
  const task = { address: url, rules: {}, speed: 1, epoch: Date.now(), parts: 1, partMs: 1 };
  const creator = startProcess({ ...task, workerId: "creator", create: newJob() });
  await creator.hears((said) => said.creating !== undefined);
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%offprint_queue.job%'";
  const watcher = await connected(url);
  while ((await watcher.query(waiting)).rowCount === 0);
  await creator.kill();
  await client.query("rollback");
  expect(await state.jobs.counts()).toMatchObject({ queued: 0 });
  const again = await state.jobs.create(newJob(), { key: "creator 0", route: "test", requestHash: "" });
  expect(again.kind).toBe("created");
  expect(await state.jobs.take("a")).toBeDefined();
  expect(await state.jobs.take("a")).toBeUndefined();
});

test("dead connections delay a call by no more than the query timeout", async () => {
  const url = await emptyDatabase();
  const proxy = await startHalfOpenProxy(Number(new URL(url).port));
  onTestFinished(() => proxy.close());
  const through = new URL(url);
  through.port = String(proxy.port);
  through.searchParams.set("query_timeout", "1000");
  const near = await opened(url);
  const far = await opened(String(through));
  const { jobId } = await createJob(near);
  const lease = (await far.jobs.take("a"))!;
  const change = near.jobs.waitForChange(lease.job, 10_000, never);

  proxy.cut();
  const started = performance.now();
  expect(await far.jobs.heartbeat(lease, { progress: 2, pageCount: 2 })).toBe(true);
  expect(performance.now() - started).toBeGreaterThan(900);
  expect(await change).toMatchObject({ progress: 2 });
  // A waiter also wakes up if its connection is dead.
  const job = (await near.jobs.get(jobId))!;
  const waited = far.jobs.waitForChange(job, 10_000, never);
  expect(await near.jobs.complete(lease, bundleOf("1"), 2)).toBe(true);
  expect(await waited).toMatchObject({ status: "completed" });
});

test("connections that the server closes are replaced, including the one for notifications", async () => {
  const url = await emptyDatabase();
  const state = await opened(url);
  const other = await opened(url);
  const client = await connected(url);
  const ours = "from pg_stat_activity where datname = current_database() and application_name = 'offprint'";
  await client.query(`select pg_terminate_backend(pid) ${ours}`);
  const listening = `select 1 ${ours} and query like 'select extract%'`;
  await waitUntil("new connections", async () => (await client.query(listening)).rowCount === 2);
  await createJob(state);
  const lease = (await state.jobs.take("a"))!;
  let seen = lease.job;
  const times: number[] = [];
  for (let progress = 10; progress < 60; progress += 10) {
    const started = performance.now();
    const change = other.jobs.waitForChange(seen, 10_000, never);
    await state.jobs.heartbeat(lease, { progress, pageCount: 1 });
    seen = (await change)!;
    times.push(performance.now() - started);
  }
  // Without a notification, a waiter polls after a second, each time. A busy machine delays some notifications.
  expect(Math.min(...times)).toBeLessThan(900);
});

test("pg-boss expires the lease of a dead worker by itself", async () => {
  const url = await emptyDatabase();
  const state = await opened(url, { leaseMs: 10_000 });
  const { jobId } = await createJob(state);
  await state.jobs.take("dead");
  const started = performance.now();
  // The timers of pg-boss run in this process: time in which a busy machine stops it does not count.
  const loopMs = startLoopTimer();
  let second: Lease | undefined;
  while (!second) {
    await state.jobs.waitForWork(500, never);
    second = await state.jobs.take("next");
  }
  const waitedMs = performance.now() - started;
  expect(second).toMatchObject({ fence: 2, job: { jobId } });
  expect(waitedMs).toBeGreaterThan(10_000);
  expect(loopMs()).toBeLessThan(20_000);
});

test("pg-boss shows how each job ended, and a job that is cancelled in pg-boss fails", async () => {
  const url = await emptyDatabase();
  const state = await opened(url, { maxAttempts: 1 });
  const boss = new PgBoss({ connectionString: url, schema: "offprint_queue", supervise: false, schedule: false });
  await boss.start();
  onTestFinished(() => boss.stop({ graceful: false }));
  const uuidOf = ({ jobId }: Job): string => jobId.slice("se_".length);
  const [completed, failed, cancelled, cancelledThere] = [
    await createJob(state),
    await createJob(state),
    await createJob(state),
    await createJob(state),
  ];
  await state.jobs.complete((await state.jobs.take("a"))!, bundleOf("1"), 1);
  await state.jobs.fail((await state.jobs.take("a"))!, "The store does not answer.", true);
  await state.jobs.cancel(cancelled.jobId, "cancelled");
  await boss.cancel("exports", uuidOf(cancelledThere));
  const states = [completed, failed, cancelled].map(
    async (job) => (await boss.findJobs("exports", { id: uuidOf(job) }))[0],
  );
  expect(await Promise.all(states)).toMatchObject([
    { state: "completed", groupId: completed.organizationId },
    { state: "failed", output: { message: "The store does not answer." } },
    { state: "cancelled" },
  ]);
  expect(await state.jobs.maintain()).toBe(1);
  expect(await state.jobs.get(cancelledThere.jobId)).toMatchObject({ status: "failed" });
});

test("conflicting transactions both succeed", async () => {
  const state = await opened(await emptyDatabase());
  const jobs = await Promise.all(Array.from({ length: 12 }, () => createJob(state)));
  await Promise.all([
    ...jobs.map((job) => state.jobs.cancel(job.jobId, "cancelled")),
    ...jobs.map((_, index) => state.jobs.take(`worker ${index}`)),
    ...jobs.map((job) => state.jobs.cancel(job.jobId, "cancelled again")),
  ]);
  expect(await state.jobs.counts()).toMatchObject({ queued: 0, running: 0, failed: 12 });
});

test.each([
  ["mysql://user:geheim@127.0.0.1/docs"],
  ["postgresql://user:geheim@127.0.0.1:port/docs"],
  ["user:geheim@127.0.0.1"],
  ["postgresql://user:geheim@127.0.0.1:1/docs"],
])("an invalid address is refused without showing its password: %s", async (url) => {
  const error = await openPostgresState({ url }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toMatch(/must look like postgresql:|127\.0\.0\.1:1 cannot be reached/);
  expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain("geheim");
});

test("a database of a newer version is used if it only has more, and refused if something was removed", async () => {
  const url = await emptyDatabase();
  await (await openPostgresState({ url })).close();
  const client = await connected(url);
  await client.query("insert into offprint.migrations (version) values (98)");
  await createJob(await opened(url));
  await client.query("insert into offprint.migrations (version, oldest_program) values (99, 99)");
  await expect(postgresSchemaVersion(url)).rejects.toThrow("was migrated by a newer Offprint");
  await expect(openPostgresState({ url })).rejects.toThrow(
    /was migrated by a newer Offprint.*version 99.*Install the newer/s,
  );
});

test("times come from the server's clock", async () => {
  const url = await emptyDatabase();
  const state = await opened(url);
  const client = await connected(url);
  const time = async (): Promise<number> =>
    (await client.query("select clock_timestamp() as now")).rows[0].now.getTime();
  const before = await time();
  const { createdAt } = await createJob(state);
  expect(createdAt.getTime()).toBeGreaterThanOrEqual(before);
  expect(createdAt.getTime()).toBeLessThanOrEqual(await time());
});

test("the server neither compiles queries nor gives them parallel workers", async () => {
  const database = await openPostgresDatabase(await emptyDatabase(), createNotifier());
  onTestFinished(() => database.close());
  expect(await database.read`show jit`).toEqual([{ jit: "off" }]);
  const [workers] = await database.read`show max_parallel_workers_per_gather`;
  expect(workers).toEqual({ max_parallel_workers_per_gather: "0" });
});

test("it touches only its own tables", async () => {
  const url = await emptyDatabase();
  const client = await connected(url);
  await client.query("create table jobs (mine text); insert into jobs values ('kept')");
  const state = await opened(url);
  await createJob(state);
  expect((await client.query("select * from public.jobs")).rows).toEqual([{ mine: "kept" }]);
});
