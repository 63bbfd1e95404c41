import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createJob, describeStates, never } from "./open-test-state.js";

const timed = async <Value>(wait: () => Promise<Value>): Promise<{ readonly value: Value; readonly ms: number }> => {
  const started = performance.now();
  return { value: await wait(), ms: performance.now() - started };
};

/** Without a notification, a waiter polls after a second, each time. A busy machine delays some notifications. */
const wokenMs = 900;

describeStates("a waiter", (open) => {
  test("for a change of a job is woken by any process", async () => {
    const state = await open();
    const other = await state.another();
    await createJob(state);
    const lease = (await other.jobs.take("a"))!;
    const waits = new Map([state, other].map((each) => [each, [] as number[]]));
    let seen = lease.job;
    for (let progress = 10; progress < 60; progress += 10) {
      const woken = [...waits].map(async ([{ jobs }, times]) => {
        const { value, ms } = await timed(() => jobs.waitForChange(seen, 5_000, never));
        times.push(ms);
        return value!;
      });
      await other.jobs.heartbeat(lease, { progress, pageCount: progress });
      const [first, second] = await Promise.all(woken);
      expect(first).toMatchObject({ progress, pageCount: progress });
      expect(second).toEqual(first);
      seen = first!;
    }
    for (const times of waits.values()) expect(Math.min(...times)).toBeLessThan(wokenMs);
  });

  test("for a change that has already happened does not wait, nor for an unknown job", async () => {
    const state = await open();
    const job = await createJob(state);
    const ended = await state.jobs.cancel(job.jobId, "cancelled");
    // Longer than the time limit of a test.
    expect(await state.jobs.waitForChange(job, 1_000_000, never)).toEqual(ended);
    expect(await state.jobs.waitForChange({ ...job, jobId: "se_none" }, 1_000_000, never)).toBeUndefined();
  });

  test("is not woken by a heartbeat without progress", async () => {
    const state = await open();
    await createJob(state);
    const lease = (await state.jobs.take("a"))!;
    const wait = timed(() => state.jobs.waitForChange(lease.job, 400, never));
    await state.jobs.heartbeat(lease, { progress: 0, pageCount: 0 });
    expect((await wait).value).toEqual(lease.job);
    expect((await wait).ms).toBeGreaterThan(390);
  });

  test("stops when aborted, and gets the job in its present state", async () => {
    const state = await open();
    const job = await createJob(state);
    const stop = new AbortController();
    // Longer than the time limit of a test.
    const wait = state.jobs.waitForChange(job, 1_000_000, stop.signal);
    setTimeout(() => stop.abort(), 50);
    expect(await wait).toEqual(job);
    expect(await state.jobs.waitForChange(job, 1_000_000, stop.signal)).toEqual(job);
    await state.jobs.waitForWork(1_000_000, stop.signal);
  });

  test("for work is woken by a new job of any process", async () => {
    const state = await open();
    const other = await state.another();
    for (const waiting of [state, other]) {
      const times: number[] = [];
      for (let i = 0; i < 5; i++) {
        const wait = timed(() => waiting.jobs.waitForWork(5_000, never));
        await createJob(state);
        times.push((await wait).ms);
      }
      expect(Math.min(...times)).toBeLessThan(wokenMs);
    }
  });

  test("leaves no listeners behind", async () => {
    const state = await open();
    const job = await createJob(state);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 200 }, () => state.jobs.waitForChange(job, 30, signal)));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
