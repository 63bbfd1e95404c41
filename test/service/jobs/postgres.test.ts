import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresState, type State } from "../../../src/service/jobs/index.js";
import { startHalfOpenProxy } from "../../support/half-open-proxy.js";
import { emptyDatabase } from "../../support/postgres.js";
import { bundleOf, createJob, never, newJob } from "./open-test-state.js";
import { startProcess } from "./start-process.js";

async function opened(url: string): Promise<State> {
  const state = await openPostgresState({ url });
  onTestFinished(() => state.close());
  return state;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("a process killed between a job and its place in the queue has made neither", async () => {
  const url = await emptyDatabase();
  const state = await opened(url);
  const client = await connected(url);
  await client.query("begin; lock table offprint_queue.job in exclusive mode");
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

test("connections that are cut without a word hold up what runs on them no longer than a query may take", async () => {
  const url = await emptyDatabase();
  const proxy = await startHalfOpenProxy(Number(new URL(url).port));
  onTestFinished(() => proxy.close());
  const through = new URL(url);
  through.port = String(proxy.port);
  const near = await opened(url);
  const far = await opened(`${through}?query_timeout=1000`);
  const { jobId } = await createJob(near);
  const lease = (await far.jobs.take("a"))!;
  const change = near.jobs.waitForChange(lease.job, 10_000, never);

  proxy.cut();
  const started = performance.now();
  expect(await far.jobs.report(lease, { progress: 2, pageCount: 2 })).toBe(true);
  expect(performance.now() - started).toBeGreaterThan(900);
  expect(await change).toMatchObject({ progress: 2 });
  // Who waits hears of it also over the connection that is dead.
  const job = (await near.jobs.get(jobId))!;
  const waited = far.jobs.waitForChange(job, 10_000, never);
  expect(await near.jobs.complete(lease, bundleOf("1"), 2)).toBe(true);
  expect(await waited).toMatchObject({ status: "completed" });
});

test("connections that the server ends are replaced, the one for wake-ups too", async () => {
  const url = await emptyDatabase();
  const state = await opened(url);
  const other = await opened(url);
  const client = await connected(url);
  const ours = "from pg_stat_activity where datname = current_database() and application_name = 'offprint'";
  await client.query(`select pg_terminate_backend(pid) ${ours}`);
  for (let tries = 0; ; tries++) {
    const listening = `select 1 ${ours} and query like 'select extract%'`;
    if ((await client.query(listening)).rowCount === 2) break;
    expect(tries).toBeLessThan(5_000);
  }
  await createJob(state);
  const lease = (await state.jobs.take("a"))!;
  let seen = lease.job;
  const times: number[] = [];
  for (let progress = 10; progress < 60; progress += 10) {
    const started = performance.now();
    const change = other.jobs.waitForChange(seen, 10_000, never);
    await state.jobs.report(lease, { progress, pageCount: 1 });
    seen = (await change)!;
    times.push(performance.now() - started);
  }
  // Who is not woken looks for itself after a second.
  expect(times.sort((a, b) => a - b)[2]).toBeLessThan(900);
});

test("two that are in each other's way are both done", async () => {
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
])("an address of no use is refused without its password: %s", async (url) => {
  const error = await openPostgresState({ url }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toMatch(/another form than postgresql:|127\.0\.0\.1:1 cannot be reached/);
  expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain("geheim");
});

test("a database of a newer version is left alone", async () => {
  const url = await emptyDatabase();
  await (await openPostgresState({ url })).close();
  const client = await connected(url);
  await client.query("insert into offprint.migrations (version) values (99)");
  await expect(openPostgresState({ url })).rejects.toThrow(/of version 99.*install the newer program/s);
});

test("times are the server's, whose clock all machines share", async () => {
  const url = await emptyDatabase();
  const state = await opened(url);
  const client = await connected(url);
  const before: Date = (await client.query("select clock_timestamp() as now")).rows[0].now;
  const { createdAt } = await createJob(state);
  expect(Math.abs(createdAt.getTime() - before.getTime())).toBeLessThan(1_000);
});

test("its own tables are the only ones it touches", async () => {
  const url = await emptyDatabase();
  const client = await connected(url);
  await client.query("create table jobs (mine text); insert into jobs values ('kept')");
  const state = await opened(url);
  await createJob(state);
  expect((await client.query("select * from public.jobs")).rows).toEqual([{ mine: "kept" }]);
});
