import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { JobRules, State } from "../../../src/service/jobs/index.js";
import { createJob, describeStates, newJob, type OpenTestState, type TestState } from "./open-test-state.js";
import { type ProcessTask, startProcess, type TestProcess } from "./start-process.js";

/**
 * The clock of these tests runs eight times faster, since pg-boss permits no lease below 10 s. A process that stops for 1.5 s
 * loses its lease.
 */
const speed = 8;
const usual = { leaseMs: 12_000, maxAttempts: 20, backoffMs: 1_000 };

async function openFast(
  open: OpenTestState,
  rules: Partial<JobRules> = usual,
): Promise<{ state: TestState; task: Omit<ProcessTask, "workerId"> }> {
  const state = await open(rules);
  const epoch = state.now();
  return { state, task: { address: state.address, rules, speed, epoch, parts: 4, partMs: 40 } };
}

/** Moves the test's clock and runs the maintenance until `isDone`. */
async function maintainUntil(
  state: TestState,
  jobs: State["jobs"],
  isDone: () => Promise<boolean> | boolean,
): Promise<void> {
  let before = performance.now();
  while (!(await isDone())) {
    await sleep(50);
    const now = performance.now();
    await state.advance((now - before) * speed);
    before = now;
    await jobs.maintain();
  }
}

const soak = Boolean(process.env["OFFPRINT_SOAK"]);

describeStates("processes", (open) => {
  test("that are killed at random lose no job and complete none twice", async () => {
    const { state, task } = await openFast(open);
    const [count, workers, kills] = soak ? [1_000, 6, 60] : [30, 3, 3];
    for (let i = 0; i < count; i++) await createJob(state);
    const started: TestProcess[] = [];
    const start = () => started.push(startProcess({ ...task, workerId: `worker ${started.length}` }));
    for (let i = 0; i < workers; i++) start();
    let nextKill = performance.now() + 600;
    await maintainUntil(state, state.jobs, async () => {
      if (performance.now() > nextKill && started.length < workers + kills) {
        const living = started.filter(({ child }) => child.exitCode === null && child.signalCode === null);
        await living[Math.floor(Math.random() * living.length)]!.kill();
        start();
        nextKill = performance.now() + 800 * Math.random();
      }
      return (await state.jobs.counts()).completed === count;
    });

    expect(await state.jobs.counts()).toMatchObject({ queued: 0, running: 0, completed: count, failed: 0 });
    const said = started.flatMap((each) => each.said);
    const namesOf = (key: "took" | "completed") =>
      said.flatMap((line) => (line[key] ? [`${line[key].jobId}/${line[key].fence}`] : []));
    const takes = namesOf("took");
    expect(new Set(takes).size, "each take has its own fence").toBe(takes.length);
    const completed = namesOf("completed");
    expect(new Set(completed.map((name) => name.split("/")[0])).size).toBe(completed.length);
    // A process may have been killed after completing a job and before printing it.
    expect(completed.length).toBeGreaterThanOrEqual(count - started.length);
    for (const name of completed) expect((await state.jobs.get(name.split("/")[0]!))?.bundle?.objectKey).toBe(name);
  });

  test("that one job kills fail only that job, after it has run alone", async () => {
    const { state, task } = await openFast(open, { ...usual, maxAttempts: 3 });
    const ids: string[] = [];
    // As many as the process holds at once. Each lasts long enough for a slow machine to take the others meanwhile.
    for (let i = 0; i < 3; i++) ids.push((await createJob(state)).jobId);
    const poison = ids[1]!;
    const parts = 30;
    const started: TestProcess[] = [];
    const start = (): void => {
      const each = startProcess({
        ...task,
        parts,
        poison,
        concurrency: ids.length,
        workerId: `worker ${started.length}`,
      });
      started.push(each);
      void each
        .hears(({ took }) => took?.jobId === poison)
        .then(() => each.ended)
        .then(start, () => {});
    };
    start();
    await maintainUntil(state, state.jobs, async () => {
      const { completed, failed } = await state.jobs.counts();
      return completed + failed === ids.length;
    });
    for (const jobId of ids) {
      const { status, error } = (await state.jobs.get(jobId))!;
      if (jobId !== poison) expect({ status, error }).toEqual({ status: "completed", error: undefined });
      else expect(error).toMatch(/gave up on .* after 3 attempts.*ran no other export/);
    }
    const takes = started.flatMap(({ said }) => said.flatMap(({ took }) => took ?? []));
    const poisoned = takes.filter(({ jobId }) => jobId === poison);
    expect(poisoned.map(({ alone }) => alone)).toEqual([false, false, true]);
    // The jobs that were held twice with it have run alone, too.
    expect(new Set(takes.flatMap(({ jobId, alone }) => (alone ? jobId : [])))).toEqual(new Set(ids));
    const { said } = started.find((each) => each.said.some(({ took }) => took?.jobId === poison && took?.alone))!;
    const held = said.flatMap(({ took }) => took ?? []).map(({ jobId }) => jobId);
    const ended = said.flatMap(({ completed }) => completed ?? []).map(({ jobId }) => jobId);
    expect(new Set(held)).toEqual(new Set([...ended, poison]));
  });

  test("that are stopped for longer than a lease have lost their job when they continue", async () => {
    const { state, task } = await openFast(open);
    const { jobId } = await createJob(state);
    const slow = startProcess({ ...task, workerId: "slow", partMs: 300 });
    await slow.hears((said) => said.reported !== undefined);
    slow.child.kill("SIGSTOP");
    const quick = startProcess({ ...task, workerId: "quick" });
    await maintainUntil(state, state.jobs, async () => (await state.jobs.get(jobId))?.status === "completed");
    const before = await state.jobs.get(jobId);
    const lost = slow.hears((said) => said.lost !== undefined);
    slow.child.kill("SIGCONT");
    expect((await lost).lost).toEqual({ jobId, fence: 1 });
    expect(quick.said.at(-1)).toEqual({ completed: { jobId, fence: 2 } });
    expect(await state.jobs.get(jobId)).toEqual(before);
    expect(before?.bundle?.objectKey).toBe(`${jobId}/2`);
  });

  test("that maintain the queue and are stopped for longer than a lease end no lease when they continue", async () => {
    const { state, task } = await openFast(open);
    const { jobId } = await createJob(state);
    const holder = startProcess({ ...task, workerId: "holder", parts: 150 });
    const maintainer = startProcess({ ...task, workerId: "maintainer", maintains: true });
    // The clock of the database runs as fast as those of the processes; no other process maintains the queue.
    const running = { ...state.jobs, maintain: async () => 0 };
    const reports = () => holder.said.filter(({ reported }) => reported).length;
    const rounds = () => maintainer.said.filter(({ maintained }) => maintained).length;
    await maintainUntil(state, running, () => reports() > 0 && rounds() > 1);
    maintainer.child.kill("SIGSTOP");
    const [before, stoppedAt] = [rounds(), performance.now()];
    await maintainUntil(state, running, () => performance.now() - stoppedAt > (2 * usual.leaseMs) / speed);
    maintainer.child.kill("SIGCONT");
    await maintainUntil(state, running, () => rounds() > before + 2);
    await maintainUntil(state, running, () => holder.said.some(({ completed, lost }) => completed ?? lost));
    expect(holder.said.at(-1)).toEqual({ completed: { jobId, fence: 1 } });
  });

  test("that are killed while they create jobs create them completely or not at all", async () => {
    // A fast machine creates more than the usual 1,000 in this time.
    const { state, task } = await openFast(open, { ...usual, maxQueued: 100_000 });
    const acknowledged = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const creator = startProcess({ ...task, workerId: `creator ${round}`, create: newJob() });
      await creator.hears((said) => said.created !== undefined);
      await sleep(50 + 100 * Math.random());
      await creator.kill();
      for (const { jobId } of creator.said) if (jobId) acknowledged.add(jobId);
      // Repeat the last call, like a client that got no answer.
      const key = creator.said.findLast((said) => said.creating)!.creating!;
      const again = await state.jobs.create(newJob(), { key, route: "test", requestHash: "" });
      if ("job" in again) acknowledged.add(again.job.jobId);
    }
    const { queued } = await state.jobs.counts();
    expect(queued).toBe(acknowledged.size);
    const taken = new Set<string>();
    for (;;) {
      const lease = await state.jobs.take("a");
      if (!lease) break;
      taken.add(lease.job.jobId);
    }
    expect(taken).toEqual(acknowledged);
  });

  test("that open a new database at the same time all succeed", async () => {
    const { state, task } = await openFast(open);
    const address = await state.fresh();
    const started = Array.from({ length: 4 }, (_, index) => startProcess({ ...task, address, workerId: `${index}` }));
    await Promise.all(started.map((each) => each.hears((said) => said.opened === true)));
  });
});
