// A process that works like a worker and prints each step, made to be killed.
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lease, type NewJob, openPostgresState, openSqliteState } from "../../../src/service/jobs/index.js";
import type { ProcessTask, Said } from "./start-process.js";

const task = JSON.parse(process.argv[2]!) as ProcessTask;
const now = (): number => task.epoch + (Date.now() - task.epoch) * task.speed;
const clocks = { now, steadyNow: () => performance.now() * task.speed };
const state = task.address.startsWith("postgresql:")
  ? await openPostgresState({ url: task.address, rules: task.rules, ...clocks })
  : await openSqliteState({ file: task.address, rules: task.rules, ...clocks });
const { jobs } = state;
// Synchronous, so that a killed process has printed all its steps.
const say = (said: Said): void => void writeSync(1, `${JSON.stringify(said)}\n`);

say({ opened: true });
if (task.create) await create(task.create);
else if (task.maintains) await maintain();
else await work();

async function create(job: NewJob): Promise<void> {
  for (let count = 0; ; count++) {
    const key = `${task.workerId} ${count}`;
    say({ creating: key });
    const created = await jobs.create(job, { key, route: "test", requestHash: "" });
    if ("job" in created) say({ created: key, jobId: created.job.jobId });
  }
}

async function maintain(): Promise<void> {
  for (;;) {
    await jobs.maintain();
    say({ maintained: true });
    await sleep(50);
  }
}

async function work(): Promise<void> {
  const running = new Map<string, Promise<void>>();
  for (;;) {
    await jobs.workerHeartbeat(task.workerId);
    const lease = await jobs.take(task.workerId, running.size === 0);
    if (!lease) {
      await jobs.waitForWork(100, new AbortController().signal);
      continue;
    }
    const { jobId } = lease.job;
    running.set(
      jobId,
      workOn(lease).finally(() => running.delete(jobId)),
    );
    const slots = lease.alone ? 1 : (task.concurrency ?? 1);
    // It ends with as many other jobs as it can hold, so that they are lost with it.
    if (task.poison && running.has(task.poison) && running.size >= slots) die();
    while (running.size >= slots) await Promise.race(running.values());
  }
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

async function workOn(lease: Lease): Promise<void> {
  const { jobId } = lease.job;
  const who = { jobId, fence: lease.fence };
  say({ took: { ...who, alone: lease.alone } });
  let isHeld = true;
  for (let part = 1; part <= task.parts && isHeld; part++) {
    await sleep(task.partMs);
    if (jobId === task.poison && part === task.parts - 1) die();
    isHeld = await jobs.heartbeat(lease, { progress: part, pageCount: part });
    if (isHeld) say({ reported: who });
  }
  const bundle = { objectKey: `${jobId}/${lease.fence}`, bytes: 1, sha256: "0" };
  say((await jobs.complete(lease, bundle, task.parts)) ? { completed: who } : { lost: who });
}
