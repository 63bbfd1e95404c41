import { expect, test } from "vitest";
import { isFinished, type Job, type Lease } from "../../../src/service/jobs/index.js";
import { sampleOf } from "../../quality/bundle.js";
import { seeded } from "../../support/seeded.js";
import { bundleOf, createJob, describeStates, type TestState } from "./open-test-state.js";

const rules = { leaseMs: 15_000, maxAttempts: 4, backoffMs: 2_000, deadlineMs: 300_000, noWorkerMs: 900_000 };

/** Invariants between two observations of a job. */
function expectProgress(before: Job, after: Job): void {
  if (isFinished(before)) expect(after).toEqual(before);
  if (before.status === "running") expect(after.status).not.toBe("queued");
  expect(after.progress).toBeGreaterThanOrEqual(before.progress);
  expect(after.pageCount).toBeGreaterThanOrEqual(before.pageCount);
  expect(after.attempt).toBeGreaterThanOrEqual(before.attempt);
  expect(after.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
  expect(after.progress === 100).toBe(after.status === "completed");
  expect(after.error !== undefined).toBe(after.status === "failed");
  expect(after.bundle !== undefined).toBe(after.status === "completed");
  expect(after.finishedAt !== undefined).toBe(isFinished(after));
  // Failed attempts, and attempts whose worker died.
  expect(after.attempt).toBeLessThanOrEqual(rules.maxAttempts - 1 + rules.maxAttempts);
}

/** Random actions of clients, workers and maintenance, including writes with lost leases. */
async function play(state: TestState, seed: number, steps: number): Promise<void> {
  const random = seeded(seed);
  const upTo = (count: number): number => Math.floor(random() * count);
  const oneOf = <Item>(items: readonly Item[]): Item | undefined => items[upTo(items.length)];
  const stores = [state.jobs, (await state.another()).jobs];
  const seen = new Map<string, Job>();
  const leases: Lease[] = [];
  const completedBy = new Map<string, number>();

  const acts: readonly (readonly [weight: number, act: () => Promise<unknown>])[] = [
    [3, async () => createJob(state, { webhookUrl: random() < 0.5 ? "https://acme.com/hook" : undefined })],
    [
      5,
      async () => {
        const lease = await oneOf(stores)!.take(`worker ${upTo(4)}`);
        if (lease) leases.push(lease);
      },
    ],
    [
      8,
      async () => {
        const lease = oneOf(leases.slice(-6));
        if (lease) await oneOf(stores)!.heartbeat(lease, { progress: random() * 120 - 10, pageCount: upTo(50) - 5 });
      },
    ],
    [
      2,
      async () => {
        const lease = oneOf(leases.slice(-8));
        if (!lease || !(await oneOf(stores)!.complete(lease, bundleOf(`${lease.fence}`), upTo(50)))) return;
        expect(completedBy.get(lease.job.jobId) ?? lease.fence).toBe(lease.fence);
        completedBy.set(lease.job.jobId, lease.fence);
      },
    ],
    [
      2,
      async () => {
        const lease = oneOf(leases.slice(-8));
        if (lease) await oneOf(stores)!.fail(lease, "fault", random() < 0.8);
      },
    ],
    [
      1,
      async () => {
        const jobId = oneOf([...seen.keys()].slice(-10));
        if (jobId) await oneOf(stores)!.cancel(jobId, "cancelled");
      },
    ],
    [6, () => state.advance(oneOf([1, 500, 3_000, 9_000])!)],
    [3, () => oneOf(stores)!.maintain()],
    [2, () => oneOf(stores)!.workerHeartbeat(`worker ${upTo(4)}`)],
  ];
  const chances = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

  async function look(): Promise<void> {
    const { jobs } = await state.jobs.list(`org_${"0".repeat(32)}`, { limit: 20 });
    for (const job of jobs) {
      const before = seen.get(job.jobId);
      if (before) expectProgress(before, job);
      seen.set(job.jobId, job);
    }
  }
  for (let step = 0; step < steps; step++) {
    await oneOf(chances)!();
    await look();
    // At most one of all leases of a job may still write.
    if (step % 10 === 0 && leases.length > 0) {
      const { jobId } = oneOf(leases)!.job;
      const holders = leases.filter((lease) => lease.job.jobId === jobId);
      const may = [];
      for (const lease of holders) may.push(await state.jobs.heartbeat(lease, { progress: 0, pageCount: 0 }));
      expect(may.filter(Boolean).length).toBeLessThanOrEqual(1);
    }
  }

  // No job is lost: without workers, the remaining jobs come to an end.
  for (let i = 0; i < 4; i++) {
    await state.advance(rules.noWorkerMs);
    for (const store of stores) await store.maintain();
  }
  expect(await state.jobs.counts()).toMatchObject({ queued: 0, running: 0 });
}

describeStates("a job only makes progress and ends, whatever clients and workers do", (open, kind) => {
  const [seeds, steps] = kind === "sqlite" ? [[1, 2, 3, 4], 300] : [[7, 8], 150];
  test.each(sampleOf(seeds, kind === "sqlite" ? 2 : 1))("schedule %i", async (seed) => {
    await play(await open(rules), seed, process.env["OFFPRINT_SOAK"] ? steps * 20 : steps);
  });
});
