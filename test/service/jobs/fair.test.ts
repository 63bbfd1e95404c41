import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { expect, test } from "vitest";
import type { Job } from "../../../src/service/jobs/index.js";
import { bundleOf, createJob, describeStates, never, type TestState } from "./open-test-state.js";
import { startProcess } from "./start-process.js";

const small = "org_small";
const large = "org_large";

/** Takes a job and completes it; its organization. */
async function served(state: TestState): Promise<string | undefined> {
  const lease = await state.jobs.take("a");
  if (!lease) return undefined;
  await state.jobs.complete(lease, bundleOf("1"), 1);
  return lease.job.organizationId;
}

/** Adds copies of a queued job to the database. */
async function copyJob(state: TestState, { jobId }: Job, count: number): Promise<void> {
  const columns =
    "organization_id, project_id, domain, status, progress, page_count, attempt, created_at, updated_at, worked_ms, waiting_since";
  if (!state.address.startsWith("postgresql:")) {
    const database = new DatabaseSync(state.address);
    const copy = (table: string, copied: string): void =>
      void database
        .prepare(
          `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
           insert into ${table} (job_id, ${copied}) select 'se_' || printf('%032d', n), ${copied}
           from ${table}, numbers where job_id = ?`,
        )
        .run(count, jobId);
    database.exec("begin");
    copy("jobs", columns);
    copy("queue", "organization_id");
    database.exec("commit");
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: state.address });
  await client.connect();
  await client.query(
    `insert into offprint.jobs (job_id, ${columns}) select 'se_' || lpad(n::text, 32, '0'), ${columns}
     from offprint.jobs, generate_series(1, $1::int) as n where job_id = $2`,
    [count, jobId],
  );
  const options = "name, group_id, retry_limit, heartbeat_seconds, expire_seconds, keep_until, created_on, start_after";
  await client.query(
    `insert into offprint_queue.job (id, priority, ${options})
     select replace(job_id, 'se_', '')::uuid, -1 - position, ${options}
     from offprint_queue.job, offprint.jobs where id = $1 and job_id like 'se_0000000000%'`,
    [jobId.slice("se_".length)],
  );
  await client.end();
}

describeStates("the next job", (open) => {
  test("is of the organization with the fewest running jobs", async () => {
    const state = await open();
    for (let i = 0; i < 5; i++) await createJob(state, { organizationId: large });
    await createJob(state, { organizationId: small });
    await createJob(state, { organizationId: small });
    const order = [];
    for (let i = 0; i < 7; i++) order.push((await state.jobs.take("a"))!.job.organizationId);
    expect(order).toEqual([large, small, large, small, large, large, large]);
    expect(await state.jobs.take("a")).toBeUndefined();
  });

  test("is of the organization served longest ago, if both run as many", async () => {
    const state = await open();
    for (let i = 0; i < 5; i++) await createJob(state, { organizationId: large });
    expect(await served(state)).toBe(large);
    expect(await served(state)).toBe(large);
    for (let i = 0; i < 2; i++) await createJob(state, { organizationId: small });
    await createJob(state, { organizationId: "org_third" });
    const order = [];
    for (let next = await served(state); next !== undefined; next = await served(state)) order.push(next);
    expect(order).toEqual([small, "org_third", large, small, large, large]);
  });

  test("of another organization starts within the duration of one job behind 200 jobs", async () => {
    const state = await open();
    for (let i = 0; i < 200; i++) await createJob(state, { organizationId: large });
    const task = { address: state.address, rules: {}, speed: 1, epoch: state.now(), parts: 4, partMs: 100 };
    const workers = ["a", "b"].map((workerId) => startProcess({ ...task, workerId }));
    const times = new Map<string, { readonly tookAt: number; completedAt?: number }>();
    for (const worker of workers)
      void worker
        .hears(({ took, completed }) => {
          if (took) times.set(took.jobId, { tookAt: performance.now() });
          if (completed) times.get(completed.jobId)!.completedAt = performance.now();
          return false;
        })
        .catch(() => {});
    await Promise.all(workers.map((worker) => worker.hears(({ completed }) => completed !== undefined)));
    await workers[0]!.hears(({ reported }) => reported !== undefined);
    const createdAt = performance.now();
    const { jobId } = await createJob(state, { organizationId: small });
    while (times.get(jobId)?.completedAt === undefined) await state.jobs.waitForWork(20, never);
    const waitedMs = times.get(jobId)!.tookAt - createdAt;
    const durations = [...times.values()].flatMap(({ tookAt, completedAt }) => (completedAt ?? tookAt) - tookAt);
    if (process.env["OFFPRINT_SOAK"])
      console.log(`waited ${Math.round(waitedMs)} ms; a job takes ${Math.round(Math.max(...durations))} ms`);
    expect(waitedMs).toBeLessThan(Math.max(...durations));
    expect((await state.jobs.counts()).queued).toBeGreaterThan(150);
  });

  test("is found as quickly in a long queue as in a short one", async () => {
    const state = await open();
    const isSoak = process.env["OFFPRINT_SOAK"] !== undefined;
    const shortestMs = async (): Promise<number> => {
      const times = [];
      for (let i = 0; i < 15; i++) {
        const started = performance.now();
        expect(await state.jobs.take("a")).toBeDefined();
        times.push(performance.now() - started);
      }
      return Math.min(...times);
    };
    for (let i = 0; i < 20; i++) await createJob(state, { organizationId: large });
    const shortMs = await shortestMs();
    await copyJob(state, await createJob(state, { organizationId: large }), isSoak ? 100_000 : 20_000);
    const longMs = await shortestMs();
    if (isSoak) console.log(`a take: ${shortMs.toFixed(1)} ms in a queue of 20, ${longMs.toFixed(1)} ms of 100,000`);
    // Looking at every job would take a hundred times as long.
    expect(longMs).toBeLessThan(10 * shortMs);
  });
});
