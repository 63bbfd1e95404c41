import { expect, test } from "vitest";
import type { Lease } from "../../../src/service/jobs/index.js";
import { bundleOf, createJob, describeStates, type TestState } from "./open-test-state.js";

const rules = { leaseMs: 15_000, maxAttempts: 3, backoffMs: 2_000, deadlineMs: 600_000, queueAgeMs: 900_000 };

async function taken(state: TestState, workerId = "a"): Promise<Lease> {
  const lease = await state.jobs.take(workerId);
  if (!lease) throw new Error("There is nothing to take.");
  return lease;
}

/** The worker of `lease` dies, and everyone notices. */
async function bury(state: TestState): Promise<void> {
  await state.jobs.sweep();
  await state.advance(rules.leaseMs + 1_000);
  await state.jobs.sweep();
}

describeStates("a lease", (open, kind) => {
  test("says what to do, for the how-manieth time, and until when", async () => {
    const state = await open(rules);
    const job = await createJob(state, { paths: ["a", "b"] });
    const lease = await taken(state);
    expect(lease).toMatchObject({ workerId: "a", fence: 1, deadline: new Date(state.now() + rules.deadlineMs) });
    expect(lease.job).toEqual({ ...job, status: "running", attempt: 1 });
    expect(await state.jobs.get(job.jobId)).toEqual(lease.job);
  });

  test("is nobody else's while its worker reports, however long it takes", async () => {
    const state = await open(rules);
    await createJob(state);
    const lease = await taken(state);
    for (let i = 0; i < 12; i++) {
      await state.advance(rules.leaseMs / 3);
      expect(await state.jobs.report(lease, { progress: i, pageCount: i })).toBe(true);
      expect(await state.jobs.sweep()).toBe(0);
      expect(await state.jobs.take("b")).toBeUndefined();
    }
    expect(await state.jobs.complete(lease, bundleOf("1"), 12)).toBe(true);
  });

  test("ends with the job", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    const lease = await taken(state);
    await state.jobs.report(lease, { progress: 50, pageCount: 7 });
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

  test("whose answer was lost may be completed once more, with the same bundle", async () => {
    const state = await open(rules);
    await createJob(state);
    const lease = await taken(state);
    const bundle = bundleOf("1");
    expect(await state.jobs.complete(lease, bundle, 1)).toBe(true);
    expect(await state.jobs.complete(lease, bundle, 1)).toBe(true);
    expect(await state.jobs.complete(lease, bundleOf("2"), 1)).toBe(false);
  });

  test("of a dead worker goes to the next one within 30 s, its progress kept", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    await state.jobs.report(await taken(state), { progress: 40, pageCount: 4 });
    const died = state.now();
    const other = await state.another();
    let second: Lease | undefined;
    while (!second) {
      await state.advance(1_000);
      await other.jobs.sweep();
      second = await other.jobs.take("b");
    }
    expect(state.now() - died).toBeLessThan(30_000);
    expect(second).toMatchObject({
      fence: 2,
      job: { jobId, status: "running", progress: 40, pageCount: 4, attempt: 2 },
    });
  });

  test("of a new worker is not taken for that of the dead one, by whoever looks", async () => {
    const state = await open(rules);
    const other = await state.another();
    await createJob(state);
    await taken(state);
    // Both see the first worker; the other buries it, and a new one has just begun when this one looks again.
    await other.jobs.sweep();
    await state.jobs.sweep();
    await state.advance(rules.leaseMs + 1_000);
    await other.jobs.sweep();
    await state.advance(rules.backoffMs);
    const again = await taken(state, "b");
    await state.jobs.sweep();
    expect(await state.jobs.report(again, { progress: 1, pageCount: 0 })).toBe(true);
  });

  test("that was lost writes nothing any more, whether or not the job has another worker", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    const stale = await taken(state, "a");
    await bury(state);
    const denied = async () => {
      const before = await state.jobs.get(jobId);
      expect(await state.jobs.report(stale, { progress: 90, pageCount: 90 })).toBe(false);
      expect(await state.jobs.complete(stale, bundleOf("stale"), 90)).toBe(false);
      expect(await state.jobs.fail(stale, "stale", false)).toBe(false);
      expect(await state.jobs.fail(stale, "stale", true)).toBe(false);
      expect(await state.jobs.get(jobId)).toEqual(before);
    };
    await denied();
    await state.advance(rules.backoffMs);
    // Also where the worker of the same name has taken it again.
    const fresh = await taken(state, "a");
    await denied();
    expect(await state.jobs.complete(fresh, bundleOf("fresh"), 1)).toBe(true);
    await denied();
  });

  test("that failed is tried again after a back-off that doubles, and ends after the last attempt", async () => {
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
      await state.advance(1);
    }
    expect(await state.jobs.fail(await taken(state), "The store does not answer.", true)).toBe(true);
    expect(await state.jobs.get(jobId)).toMatchObject({
      status: "failed",
      error: "The export was given up after 3 attempts. The store does not answer.",
    });
    await state.advance(3_600_000);
    expect(await state.jobs.take("a")).toBeUndefined();
  });

  test("that is released costs no attempt: the job is due at once, and has all its attempts still", async () => {
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
      await state.advance(backoffMs);
    }
    expect(await state.jobs.fail(await taken(state), "The store does not answer.", true)).toBe(true);
    expect(await state.jobs.get(jobId)).toMatchObject({
      status: "failed",
      error: "The export was given up after 3 attempts. The store does not answer.",
    });
  });

  test("that failed for good is not tried again", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    expect(await state.jobs.fail(await taken(state), "docs.json is missing.", false)).toBe(true);
    expect(await state.jobs.get(jobId)).toMatchObject({
      status: "failed",
      error: "docs.json is missing.",
      progress: 0,
    });
  });

  test("of a job that kills every worker ends after the last attempt", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    for (let attempt = 1; attempt <= rules.maxAttempts; attempt++) {
      expect((await taken(state, `worker ${attempt}`)).fence).toBe(attempt);
      await bury(state);
      await state.advance(60_000);
    }
    expect(await state.jobs.take("a")).toBeUndefined();
    expect((await state.jobs.get(jobId))?.error).toBe(
      "The export was given up after 3 attempts. Its worker stopped without a word: it crashed or was cut off.",
    );
  });

  test("is lost when the job is cancelled, which can be done over and over", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    const lease = await taken(state);
    const cancelled = await state.jobs.cancel(jobId, "The export was cancelled.");
    expect(cancelled).toMatchObject({ status: "failed", error: "The export was cancelled." });
    expect(await state.jobs.report(lease, { progress: 5, pageCount: 1 })).toBe(false);
    expect(await state.jobs.cancel(jobId, "again")).toEqual(cancelled);
    expect(await state.jobs.take("b")).toBeUndefined();
    expect(await state.jobs.cancel("se_unknown", "unknown")).toBeUndefined();
  });

  test("of a job that was cancelled while it waited is never given", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    await state.jobs.cancel(jobId, "cancelled");
    expect(await state.jobs.take("a")).toBeUndefined();
  });

  test("is lost at the deadline, which counts the work of all attempts", async () => {
    const state = await open({ ...rules, deadlineMs: 60_000 });
    const { jobId } = await createJob(state);
    const first = await taken(state);
    for (let i = 0; i < 4; i++) {
      await state.advance(10_000);
      expect(await state.jobs.report(first, { progress: 1, pageCount: 1 })).toBe(true);
    }
    await state.jobs.fail(first, "fault", true);
    await state.advance(30_000);
    const second = await taken(state);
    expect(second.deadline).toEqual(new Date(state.now() + 20_000));
    await state.advance(10_000);
    expect(await state.jobs.report(second, { progress: 2, pageCount: 2 })).toBe(true);
    await state.advance(10_000);
    expect(await state.jobs.report(second, { progress: 3, pageCount: 3 })).toBe(false);
    const job = await state.jobs.get(jobId);
    expect(job).toMatchObject({ status: "failed", error: expect.stringMatching(/not ready after 60 s/) });
  });

  test("is not waited for for ever when no worker lives: neither the first nor a later one", async () => {
    const state = await open(rules);
    const { jobId: begun } = await createJob(state);
    await state.jobs.workerLives("a");
    await state.jobs.fail(await taken(state), "fault", true);
    const { jobId: waiting } = await createJob(state);
    await state.jobs.sweep();
    await state.advance(rules.queueAgeMs - 1);
    expect(await state.jobs.sweep()).toBe(0);
    await state.advance(1);
    expect(await state.jobs.sweep()).toBe(2);
    for (const jobId of [begun, waiting])
      expect(await state.jobs.get(jobId)).toMatchObject({
        status: "failed",
        error: expect.stringMatching(/No worker/),
      });
  });

  test("is waited for as long as a worker lives, and through the pause in which workers are replaced", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    for (let minute = 0; minute < 60; minute++) {
      // One lives until the 20th minute, the next from the 30th on.
      if (minute < 20 || minute >= 30) await state.jobs.workerLives(minute < 20 ? "old" : "new");
      if (minute === 20) await state.jobs.workerLeaves("old");
      await state.advance(60_000);
      expect(await state.jobs.sweep()).toBe(0);
    }
    expect(await state.jobs.get(jobId)).toMatchObject({ status: "queued" });
  });

  if (kind === "sqlite")
    test.each([-3_600_000, 3_600_000])("is safe from a process whose clock is %i ms ahead", async (aheadMs) => {
      const state = await open({ ...rules, deadlineMs: 1_800_000 });
      const other = await state.another(aheadMs);
      const { jobId } = await createJob(state);
      const lease = await taken(state);
      for (let i = 0; i < 10; i++) {
        await state.advance(5_000);
        expect(await state.jobs.report(lease, { progress: i, pageCount: i })).toBe(true);
        expect(await other.jobs.sweep()).toBe(0);
        expect(await other.jobs.take("b")).toBeUndefined();
      }
      // The worker dies, and the other one takes over as soon as it would have with the same clock.
      await state.advance(rules.leaseMs);
      expect(await other.jobs.sweep()).toBe(1);
      await state.advance(rules.backoffMs);
      const second = await other.jobs.take("b");
      expect(second).toMatchObject({ fence: 2, job: { jobId, progress: 9 } });
      expect(await other.jobs.fail(second!, "fault", true)).toBe(true);
      // Given back by a clock ahead, and taken by one that is not.
      await state.advance(2 * rules.backoffMs);
      expect(await state.jobs.take("a")).toMatchObject({ fence: 3 });
      expect((await state.jobs.get(jobId))!.updatedAt.getTime()).toBeGreaterThanOrEqual(
        second!.job.updatedAt.getTime(),
      );
    });
  else
    test("survives a server whose clock is set ahead an hour, or is given on with a higher fence", async () => {
      const state = await open(rules);
      const { jobId } = await createJob(state);
      const first = await taken(state);
      await state.advance(3_600_000);
      await state.jobs.sweep();
      await state.advance(rules.backoffMs);
      const second = await taken(state, "b");
      expect(second).toMatchObject({ fence: 2, job: { jobId } });
      expect(await state.jobs.complete(first, bundleOf("1"), 1)).toBe(false);
      expect(await state.jobs.complete(second, bundleOf("2"), 1)).toBe(true);
    });
});
