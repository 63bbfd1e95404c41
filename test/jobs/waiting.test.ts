import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createJob, describeStates, never } from "./open-test-state.js";

const timed = async <Value>(wait: Promise<Value>): Promise<{ readonly value: Value; readonly ms: number }> => {
  const started = performance.now();
  return { value: await wait, ms: performance.now() - started };
};

describeStates("who waits", (open) => {
  test("for a change of a job is woken by it, whichever process made it", async () => {
    const state = await open();
    const other = await state.another();
    const job = await createJob(state);
    const waits = [state, other].map(({ jobs }) => timed(jobs.waitForChange(job, 5_000, never)));
    const lease = (await other.jobs.take("a"))!;
    for (const { value, ms } of await Promise.all(waits)) {
      expect(value).toEqual(lease.job);
      expect(ms).toBeLessThan(900);
    }
    const next = timed(state.jobs.waitForChange(lease.job, 5_000, never));
    await other.jobs.report(lease, { progress: 10, pageCount: 1 });
    expect((await next).value?.progress).toBe(10);
  });

  test("for a change that has been before does not wait, nor for one of an unknown job", async () => {
    const state = await open();
    const job = await createJob(state);
    const ended = await state.jobs.cancel(job.jobId, "cancelled");
    const { value, ms } = await timed(state.jobs.waitForChange(job, 5_000, never));
    expect(value).toEqual(ended);
    expect(ms).toBeLessThan(900);
    expect(await state.jobs.waitForChange({ ...job, jobId: "se_none" }, 5_000, never)).toBeUndefined();
  });

  test("is not woken by a worker's mere sign of life", async () => {
    const state = await open();
    await createJob(state);
    const lease = (await state.jobs.take("a"))!;
    const wait = timed(state.jobs.waitForChange(lease.job, 400, never));
    await state.jobs.report(lease, { progress: 0, pageCount: 0 });
    expect((await wait).value).toEqual(lease.job);
    expect((await wait).ms).toBeGreaterThan(390);
  });

  test("gives up when told, and gets the job as it is", async () => {
    const state = await open();
    const job = await createJob(state);
    const stop = new AbortController();
    const wait = timed(state.jobs.waitForChange(job, 60_000, stop.signal));
    setTimeout(() => stop.abort(), 50);
    expect((await wait).value).toEqual(job);
    expect((await wait).ms).toBeLessThan(2_000);
    expect(await state.jobs.waitForChange(job, 60_000, stop.signal)).toEqual(job);
    await state.jobs.waitForWork(60_000, stop.signal);
  });

  test("for work is woken by a new job, whichever process made it", async () => {
    const state = await open();
    const other = await state.another();
    for (const waiting of [state, other]) {
      const wait = timed(waiting.jobs.waitForWork(5_000, never));
      await createJob(state);
      expect((await wait).ms).toBeLessThan(900);
    }
  });

  test("leaves nothing behind", async () => {
    const state = await open();
    const job = await createJob(state);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 200 }, () => state.jobs.waitForChange(job, 30, signal)));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
