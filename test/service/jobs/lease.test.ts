import { expect, test } from "vitest";
import type { Lease } from "../../../src/service/jobs/index.js";
import { bundleOf, createJob, describeStates, type TestState } from "./open-test-state.js";

const rules = { leaseMs: 15_000, maxAttempts: 3, backoffMs: 2_000, deadlineMs: 600_000, noWorkerMs: 900_000 };

async function taken(state: TestState, workerId = "a"): Promise<Lease> {
  const lease = await state.jobs.take(workerId);
  if (!lease) throw new Error("There is nothing to take.");
  return lease;
}

/** pg-boss adds up to as much again at random, so that jobs that failed together are not retried together. */
const longestBackoff = { sqlite: 1, postgres: 2 };

/** Lets all leases expire. */
async function expireLeases(state: TestState): Promise<void> {
  await state.jobs.maintain();
  await state.advance(rules.leaseMs + 1_000);
  await state.jobs.maintain();
}

describeStates("a lease", (open, kind) => {
  test("has the job, the attempt and the deadline", async () => {
    const state = await open(rules);
    const job = await createJob(state, { paths: ["a", "b"] });
    const lease = await taken(state);
    expect(lease).toMatchObject({ workerId: "a", fence: 1, deadline: new Date(state.now() + rules.deadlineMs) });
    expect(lease.job).toEqual({ ...job, status: "running", attempt: 1 });
    expect(await state.jobs.get(job.jobId)).toEqual(lease.job);
  });

  test("is exclusive as long as its worker sends heartbeats", async () => {
    const state = await open(rules);
    await createJob(state);
    const lease = await taken(state);
    for (let i = 0; i < 12; i++) {
      await state.advance(rules.leaseMs / 3);
      expect(await state.jobs.heartbeat(lease, { progress: i, pageCount: i })).toBe(true);
      expect(await state.jobs.maintain()).toBe(0);
      expect(await state.jobs.take("b")).toBeUndefined();
    }
    expect(await state.jobs.complete(lease, bundleOf("1"), 12)).toBe(true);
  });

  test("ends when the job is completed", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    const lease = await taken(state);
    await state.jobs.heartbeat(lease, { progress: 50, pageCount: 7 });
    const bundle = bundleOf("1");
    await state.advance(5_000);
    expect(await state.jobs.complete(lease, bundle, 9)).toBe(true);
    const job = await state.jobs.get(jobId);
    const at = new Date(state.now());
    expect(job).toMatchObject({
      status: "completed",
      progress: 100,
      pageCount: 9,
      bundle,
      finishedAt: at,
      updatedAt: at,
    });
    expect(job?.error).toBeUndefined();
  });

  test("can be completed again with the same bundle, in case the answer was lost", async () => {
    const state = await open(rules);
    await createJob(state);
    const lease = await taken(state);
    const bundle = bundleOf("1");
    expect(await state.jobs.complete(lease, bundle, 1)).toBe(true);
    expect(await state.jobs.complete(lease, bundle, 1)).toBe(true);
    expect(await state.jobs.complete(lease, bundleOf("2"), 1)).toBe(false);
  });

  test("of a dead worker goes to another one within 30 s, with the progress so far", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    await state.jobs.heartbeat(await taken(state), { progress: 40, pageCount: 4 });
    const died = state.now();
    const other = await state.another();
    let second: Lease | undefined;
    while (!second) {
      await state.advance(1_000);
      await other.jobs.maintain();
      second = await other.jobs.take("b");
    }
    expect(state.now() - died).toBeLessThan(30_000);
    expect(second).toMatchObject({
      fence: 2,
      job: { jobId, status: "running", progress: 40, pageCount: 4, attempt: 2 },
    });
  });

  test("of a new worker is not mistaken for the expired one by any process", async () => {
    const state = await open(rules);
    const other = await state.another();
    await createJob(state);
    await taken(state);
    // Both see the first lease. The other process expires it, and this one looks again just after a new lease began.
    await other.jobs.maintain();
    await state.jobs.maintain();
    await state.advance(rules.leaseMs + 1_000);
    await other.jobs.maintain();
    await state.advance(longestBackoff[kind] * rules.backoffMs);
    const again = await taken(state, "b");
    await state.jobs.maintain();
    expect(await state.jobs.heartbeat(again, { progress: 1, pageCount: 0 })).toBe(true);
  });

  test("that was lost cannot write, whether or not another worker has the job", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    const stale = await taken(state, "a");
    await expireLeases(state);
    const denied = async () => {
      const before = await state.jobs.get(jobId);
      expect(await state.jobs.heartbeat(stale, { progress: 90, pageCount: 90 })).toBe(false);
      expect(await state.jobs.complete(stale, bundleOf("stale"), 90)).toBe(false);
      expect(await state.jobs.fail(stale, "stale", false)).toBe(false);
      expect(await state.jobs.fail(stale, "stale", true)).toBe(false);
      expect(await state.jobs.get(jobId)).toEqual(before);
    };
    await denied();
    await state.advance(longestBackoff[kind] * rules.backoffMs);
    // Even if the same worker takes the job again.
    const fresh = await taken(state, "a");
    await denied();
    expect(await state.jobs.complete(fresh, bundleOf("fresh"), 1)).toBe(true);
    await denied();
  });

  test("that failed is retried after a doubling back-off, and the job fails after the last attempt", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    for (const [fence, backoffMs] of [
      [1, 2_000],
      [2, 4_000],
    ] as const) {
      const lease = await taken(state);
      expect(lease.fence).toBe(fence);
      expect(await state.jobs.fail(lease, `fault ${fence}`, true)).toBe(true);
      expect(await state.jobs.get(jobId)).toMatchObject({ status: "running", error: undefined });
      await state.advance(backoffMs - 1);
      expect(await state.jobs.take("a")).toBeUndefined();
      await state.advance(longestBackoff[kind] * backoffMs - (backoffMs - 1));
    }
    expect(await state.jobs.fail(await taken(state), "The store does not answer.", true)).toBe(true);
    expect(await state.jobs.get(jobId)).toMatchObject({
      status: "failed",
      error: "The service gave up on the export after 3 attempts. The store does not answer.",
    });
    await state.advance(3_600_000);
    expect(await state.jobs.take("a")).toBeUndefined();
  });

  test("that is released counts as no attempt, and the job is due at once", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    for (const fence of [1, 2, 3, 4]) {
      const lease = await taken(state);
      expect(lease.fence).toBe(fence);
      expect(await state.jobs.release(lease)).toBe(true);
      expect(await state.jobs.release(lease)).toBe(false);
      expect(await state.jobs.get(jobId)).toMatchObject({ status: "running", error: undefined });
    }
    for (const backoffMs of [2_000, 4_000]) {
      expect(await state.jobs.fail(await taken(state), "The store does not answer.", true)).toBe(true);
      await state.advance(longestBackoff[kind] * backoffMs);
    }
    expect(await state.jobs.fail(await taken(state), "The store does not answer.", true)).toBe(true);
    expect(await state.jobs.get(jobId)).toMatchObject({
      status: "failed",
      error: "The service gave up on the export after 3 attempts. The store does not answer.",
    });
  });

  test("that is released comes before later jobs", async () => {
    const state = await open(rules);
    const first = await createJob(state);
    await state.advance(1);
    await createJob(state);
    expect(await state.jobs.release(await taken(state))).toBe(true);
    expect((await taken(state)).job.jobId).toBe(first.jobId);
  });

  test("respects the limit of running jobs per organization", async () => {
    const state = await open({ ...rules, maxConcurrent: 2 });
    const ids = [];
    for (const organizationId of ["org_a", "org_a", "org_a", "org_b"]) {
      ids.push((await createJob(state, { organizationId })).jobId);
      await state.advance(1);
    }
    const first = await taken(state);
    const order = [first, await taken(state), await taken(state)].map(({ job }) => job.jobId);
    expect(order).toEqual([ids[0], ids[3], ids[1]]);
    expect(await state.jobs.take("a")).toBeUndefined();
    await state.jobs.complete(first, bundleOf("1"), 1);
    expect((await taken(state)).job.jobId).toBe(ids[2]);
  });

  test("that failed without retry ends the job", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    expect(await state.jobs.fail(await taken(state), "docs.json is missing.", false)).toBe(true);
    expect(await state.jobs.get(jobId)).toMatchObject({
      status: "failed",
      error: "docs.json is missing.",
      progress: 0,
    });
  });

  test("of a job that kills every worker fails after the last attempt", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    for (let attempt = 1; attempt <= rules.maxAttempts; attempt++) {
      expect(await taken(state, `worker ${attempt}`)).toMatchObject({ fence: attempt, alone: attempt === 3 });
      await expireLeases(state);
      await state.advance(60_000);
    }
    expect(await state.jobs.take("a")).toBeUndefined();
    expect((await state.jobs.get(jobId))?.error).toBe(
      "The service gave up on the export after 3 attempts. Its worker stopped responding: it crashed or lost its connection. " +
        "In the last attempt, the worker ran no other export, so this site is the cause. Export fewer pages at a time with `paths`.",
    );
  });

  test("of a job that died twice with others is alone, and the death of its worker does not count as a failure", async () => {
    const state = await open({ ...rules, maxAttempts: 1 });
    const ids = [(await createJob(state)).jobId, (await createJob(state)).jobId];
    for (let death = 1; death <= 2; death++) {
      for (const isIdle of [true, false]) expect(await state.jobs.take("a", isIdle)).toMatchObject({ alone: false });
      await expireLeases(state);
      await state.advance(60_000);
    }
    for (const jobId of ids) {
      const lease = await taken(state, "b");
      expect(lease).toMatchObject({ fence: 3, alone: true, job: { jobId, status: "running" } });
      expect(await state.jobs.complete(lease, bundleOf(jobId), 1)).toBe(true);
    }
  });

  test("of a job that must be alone waits for an idle worker, for which one busy worker makes room", async () => {
    const state = await open(rules);
    const suspect = await createJob(state, { organizationId: "org_a" });
    for (let death = 1; death <= 2; death++) {
      await taken(state, "dead");
      await expireLeases(state);
      await state.advance(60_000);
    }
    for (const worker of ["a", "b"]) await state.jobs.workerHeartbeat(worker);
    expect(await state.jobs.take("a", false)).toBeUndefined();
    for (const organizationId of ["org_b", "org_c"]) await createJob(state, { organizationId });
    // The first worker has reserved the job, so it gets no other one, but the second worker does.
    expect(await state.jobs.take("a", false)).toBeUndefined();
    expect(await state.jobs.take("b", false)).toMatchObject({ job: { organizationId: "org_b" } });
    expect(await state.jobs.take("a", true)).toMatchObject({ alone: true, job: { jobId: suspect.jobId } });
    expect(await state.jobs.take("b", false)).toMatchObject({ job: { organizationId: "org_c" } });
  });

  test("of a job that must be alone goes to any idle worker, and a dead worker reserves nothing", async () => {
    const state = await open(rules);
    const suspect = await createJob(state, { organizationId: "org_a" });
    for (let death = 1; death <= 2; death++) {
      await taken(state, "dead");
      await expireLeases(state);
      await state.advance(60_000);
    }
    await state.jobs.workerHeartbeat("a");
    expect(await state.jobs.take("a", false)).toBeUndefined();
    await createJob(state, { organizationId: "org_b" });
    expect(await state.jobs.take("b", false)).toMatchObject({ job: { organizationId: "org_b" } });
    await state.advance(60_000);
    await state.jobs.workerHeartbeat("b");
    await createJob(state, { organizationId: "org_b" });
    // The worker that had reserved the job has died.
    expect(await state.jobs.take("b", false)).toBeUndefined();
    expect(await state.jobs.take("c", true)).toMatchObject({ alone: true, job: { jobId: suspect.jobId } });
    expect(await state.jobs.take("b", false)).toMatchObject({ job: { organizationId: "org_b" } });
  });

  test("is lost when the job is cancelled; cancelling again changes nothing", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    const lease = await taken(state);
    const cancelled = await state.jobs.cancel(jobId, "The export was cancelled.");
    expect(cancelled).toMatchObject({ status: "failed", error: "The export was cancelled." });
    expect(await state.jobs.heartbeat(lease, { progress: 5, pageCount: 1 })).toBe(false);
    expect(await state.jobs.cancel(jobId, "again")).toEqual(cancelled);
    expect(await state.jobs.take("b")).toBeUndefined();
    expect(await state.jobs.cancel("se_unknown", "unknown")).toBeUndefined();
  });

  test("is not given for a cancelled job", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    await state.jobs.cancel(jobId, "cancelled");
    expect(await state.jobs.take("a")).toBeUndefined();
  });

  test("is lost at the deadline, which includes all attempts", async () => {
    const state = await open({ ...rules, deadlineMs: 60_000 });
    const { jobId } = await createJob(state);
    const first = await taken(state);
    for (let i = 0; i < 4; i++) {
      await state.advance(10_000);
      expect(await state.jobs.heartbeat(first, { progress: 1, pageCount: 1 })).toBe(true);
    }
    await state.jobs.fail(first, "fault", true);
    await state.advance(30_000);
    const second = await taken(state);
    expect(second.deadline).toEqual(new Date(state.now() + 20_000));
    await state.advance(10_000);
    expect(await state.jobs.heartbeat(second, { progress: 2, pageCount: 2 })).toBe(true);
    await state.advance(10_000);
    expect(await state.jobs.heartbeat(second, { progress: 3, pageCount: 3 })).toBe(false);
    const job = await state.jobs.get(jobId);
    expect(job).toMatchObject({ status: "failed", error: expect.stringMatching(/time limit of 60 s/) });
  });

  test("is not waited for forever without live workers, neither the first nor a later one", async () => {
    const state = await open(rules);
    const { jobId: begun } = await createJob(state);
    await state.jobs.workerHeartbeat("a");
    await state.jobs.fail(await taken(state), "fault", true);
    const { jobId: waiting } = await createJob(state);
    await state.jobs.maintain();
    await state.advance(rules.noWorkerMs - 1);
    expect(await state.jobs.maintain()).toBe(0);
    await state.advance(1);
    expect(await state.jobs.maintain()).toBe(2);
    for (const jobId of [begun, waiting])
      expect(await state.jobs.get(jobId)).toMatchObject({
        status: "failed",
        error: expect.stringMatching(/No worker/),
      });
  });

  test("is waited for while a worker is alive, and while workers are being replaced", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    for (let minute = 0; minute < 60; minute++) {
      // One worker is alive until minute 20, the next one from minute 30.
      if (minute < 20 || minute >= 30) await state.jobs.workerHeartbeat(minute < 20 ? "old" : "new");
      if (minute === 20) await state.jobs.removeWorker("old");
      await state.advance(60_000);
      expect(await state.jobs.maintain()).toBe(0);
    }
    expect(await state.jobs.get(jobId)).toMatchObject({ status: "queued" });
  });

  if (kind === "sqlite")
    test.each([-3_600_000, 3_600_000])("is safe from a process whose clock differs by %i ms", async (aheadMs) => {
      const state = await open({ ...rules, deadlineMs: 1_800_000 });
      const other = await state.another(aheadMs);
      const { jobId } = await createJob(state);
      const lease = await taken(state);
      for (let i = 0; i < 10; i++) {
        await state.advance(5_000);
        expect(await state.jobs.heartbeat(lease, { progress: i, pageCount: i })).toBe(true);
        expect(await other.jobs.maintain()).toBe(0);
        expect(await other.jobs.take("b")).toBeUndefined();
      }
      // The worker dies, and the other process takes over as early as with the same clock.
      await state.advance(rules.leaseMs);
      expect(await other.jobs.maintain()).toBe(1);
      await state.advance(rules.backoffMs);
      const second = await other.jobs.take("b");
      expect(second).toMatchObject({ fence: 2, job: { jobId, progress: 9 } });
      expect(await other.jobs.fail(second!, "fault", true)).toBe(true);
      // Retried by the process with the other clock, and taken by this one.
      await state.advance(2 * rules.backoffMs);
      expect(await state.jobs.take("a")).toMatchObject({ fence: 3 });
      expect((await state.jobs.get(jobId))!.updatedAt.getTime()).toBeGreaterThanOrEqual(
        second!.job.updatedAt.getTime(),
      );
    });
  else
    test("survives a server clock that jumps ahead an hour, or goes to another worker with a higher fence", async () => {
      const state = await open(rules);
      const { jobId } = await createJob(state);
      const first = await taken(state);
      await state.advance(3_600_000);
      await state.jobs.maintain();
      await state.advance(longestBackoff[kind] * rules.backoffMs);
      const second = await taken(state, "b");
      expect(second).toMatchObject({ fence: 2, job: { jobId } });
      expect(await state.jobs.complete(first, bundleOf("1"), 1)).toBe(false);
      expect(await state.jobs.complete(second, bundleOf("2"), 1)).toBe(true);
    });
});
