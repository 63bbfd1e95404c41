import assert from "node:assert/strict";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, test } from "vitest";
import { createWorkerPool, type WorkerPool } from "../../../src/lib/queue/worker-pool.js";
import { bundleModule } from "../../support/bundle-module.js";
import type { Task } from "./task-worker.js";

const script = pathToFileURL(bundleModule(fileURLToPath(new URL("./task-worker.ts", import.meta.url))));
const pools: WorkerPool<Task, unknown>[] = [];

function pool(size: number, deadlineMs = 60_000, answerMs = 2000, startMs = 0): WorkerPool<Task, unknown> {
  const made = createWorkerPool<Task, unknown>({
    script,
    workerData: { startMs },
    size,
    deadlineMs,
    onCall: async (name, argument) => {
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      if (argument === -1) throw new Error(`no answer to ${argument}`);
      return `${name} to ${argument}`;
    },
  });
  pools.push(made);
  return made;
}
/** Above the time limit of a test, in milliseconds: a task that does not end soon fails it. */
const never = 10_000_000;

afterEach(() => Promise.all(pools.splice(0).map((each) => each.close())));

test("a task's result comes back", async () => {
  assert.deepEqual(await pool(1).run({ do: "double", value: 21 }), { ok: true, result: 42 });
});

test("more tasks than threads all come back, each to its caller", async () => {
  const two = pool(2);
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, value) => two.run({ do: "double", value })));
  assert.deepEqual(
    outcomes,
    Array.from({ length: 40 }, (_, value) => ({ ok: true, result: value * 2 })),
  );
});

test("a pool that grows gives waiting tasks to its new threads", async () => {
  const growing = pool(1);
  const stuck = Promise.allSettled([growing.run({ do: "spin" }), growing.run({ do: "double", value: 3 })]);
  const second = growing.run({ do: "double", value: 4 });
  growing.grow(2);
  assert.deepEqual(await second, { ok: true, result: 8 });
  await growing.close();
  await stuck;
});

test("only the task that misses its deadline is lost, and the next one runs in a new thread", async () => {
  const one = pool(1, 250);
  const [spun, doubled] = await Promise.all([one.run({ do: "spin" }), one.run({ do: "double", value: 4 })]);
  assert.equal(!spun.ok && spun.lost, "deadline");
  assert.deepEqual(doubled, { ok: true, result: 8 });
});

test("the start of a thread does not count against the deadline of its first task", async () => {
  assert.deepEqual(await pool(1, 500, 0, 800).run({ do: "double", value: 2 }), { ok: true, result: 4 });
});

test("a task is not lost while it waits, but eventually it is", async () => {
  const [slept, outcome] = await Promise.all([
    pool(1, 500).run({ do: "sleep", ms: 800 }),
    pool(1, 100).run({ do: "sleep", ms: 60_000 }),
  ]);
  assert.deepEqual(slept, { ok: true, result: "slept" });
  assert.equal(!outcome.ok && outcome.lost, "deadline");
});

test("a task is lost for its own processor time, not for that of a task in another thread", async () => {
  const two = pool(2, 1000);
  const [spun, computed] = await Promise.all([
    two.run({ do: "spin" }),
    two.run({ do: "compute", ms: 400 }).then(() => two.run({ do: "compute", ms: 700 })),
  ]);
  assert.equal(!spun.ok && spun.lost, "deadline");
  assert.deepEqual(computed, { ok: true, result: "computed" });
});

test("an endless task takes little more processor time than its deadline", async () => {
  const one = pool(1, 300);
  await one.run({ do: "double", value: 1 });
  const before = process.cpuUsage();
  const outcome = await one.run({ do: "spin" });
  const { user, system } = process.cpuUsage(before);
  assert.equal(!outcome.ok && outcome.lost, "deadline");
  const spentMs = (user + system) / 1000;
  assert.ok(spentMs > 200 && spentMs < 1300, `${spentMs} ms`);
});

test("only the task that ends its thread is lost", async () => {
  const one = pool(1);
  const ended = await one.run({ do: "exit" });
  assert.equal(!ended.ok && ended.lost, "crash");
  assert.deepEqual(await one.run({ do: "double", value: 1 }), { ok: true, result: 2 });
});

test("a task that throws rejects with its message and frees its place", async () => {
  const one = pool(1);
  await assert.rejects(one.run({ do: "throw" }), /a task's own fault/);
  assert.deepEqual(await one.run({ do: "double", value: 1 }), { ok: true, result: 2 });
});

test("waiting for an answer of the main thread does not count against the deadline", async () => {
  assert.deepEqual(await pool(1, 300, 600).run({ do: "ask", value: 7 }), { ok: true, result: "slow answer to 7" });
});

test("a thread can sleep until the main thread answers; the processor time of others counts against the deadline", async () => {
  const one = pool(1, 2000, 2500);
  assert.deepEqual(await one.run({ do: "wait", value: 7, ms: 100 }), { ok: true, result: "slow answer to 7" });
  const [outcome, next] = await Promise.all([one.run({ do: "wait", ms: 2500 }), one.run({ do: "double", value: 1 })]);
  assert.equal(!outcome.ok && outcome.lost, "deadline");
  assert.deepEqual(next, { ok: true, result: 2 });
  await assert.rejects(one.run({ do: "wait", value: -1, ms: 0 }), /no answer to -1/);
});

test("close ends a sleeping thread", async () => {
  const one = pool(1, never, never);
  const waiting = assert.rejects(one.run({ do: "wait", ms: 0 }), /enough/);
  await new Promise((resolve) => setTimeout(resolve, 150));
  await one.close(new Error("enough"));
  await waiting;
});

test("a thread sees only the cache of compiled code of the environment", async () => {
  const seen = getCompileCacheDir() === undefined ? [] : ["NODE_COMPILE_CACHE"];
  assert.deepEqual(await pool(1).run({ do: "environment" }), { ok: true, result: seen });
});

test("close ends a running task at once and rejects waiting ones with its reason", async () => {
  const one = pool(1, never);
  const running = one.run({ do: "spin" });
  const waiting = one.run({ do: "double", value: 1 });
  const settled = Promise.allSettled([running, waiting]);
  await new Promise((resolve) => setTimeout(resolve, 150));
  await one.close(new Error("no more"));
  const outcomes = await settled;
  assert.deepEqual(
    outcomes.map((each) => each.status === "rejected" && (each.reason as Error).message),
    ["no more", "no more"],
  );
});

test("an answer after close does not start a deadline", async () => {
  const one = pool(1, 1000, 600);
  const ended = [one.run({ do: "ask" }), one.run({ do: "double" })].map((run) => assert.rejects(run, /enough/));
  await new Promise((resolve) => setTimeout(resolve, 400));
  await one.close(new Error("enough"));
  await Promise.all(ended);
  let started = 0;
  const count = (): void => {
    started += 1;
  };
  process.on("worker", count);
  await new Promise((resolve) => setTimeout(resolve, 1600));
  process.off("worker", count);
  assert.equal(started, 0);
});
