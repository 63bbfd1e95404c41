import assert from "node:assert/strict";
import { test } from "vitest";
import { createThreadCount, type ThreadGoal } from "../../../src/lib/queue/worker-pool.js";

/** Number of threads after each of several tasks of the same duration. */
function after(most: number, ms: number, tasks: number, all: number, goal: ThreadGoal = "time", idle = 8): number[] {
  const count = createThreadCount(most, goal, () => idle);
  return Array.from({ length: tasks }, (_, i) => count.after(ms, all - i - 1));
}

test("one thread does work of a few seconds", () => {
  assert.equal(Math.max(...after(8, 5, 1000, 1000)), 1);
});

test("each thread gets seconds of work, and none starts before the duration of tasks is known", () => {
  const counts = after(8, 9, 64, 2000);
  assert.equal(counts[62], 1);
  assert.equal(counts[63], 3);
});

test("there are never more threads than cores", () => {
  assert.equal(after(4, 9, 64, 25_000).at(-1), 4);
});

test("a few long tasks are enough to add threads", () => {
  assert.deepEqual(after(4, 700, 4, 100), [1, 1, 4, 4]);
});

test("the first tasks, slow while their code is compiled, do not count", () => {
  const count = createThreadCount(4, "time", () => 8);
  for (let i = 0; i < 200; i++) assert.equal(count.after(i < 32 ? 25 : 4, 600 - i), 1);
});

test("the number of threads does not fall as tasks run out", () => {
  assert.deepEqual(after(4, 9, 4000, 4000).slice(-3), [4, 4, 4]);
});

test("no thread starts while all cores are busy, and one for each that is mostly idle", () => {
  assert.equal(Math.max(...after(4, 9, 4000, 4000, "time", 0.3)), 1);
  assert.deepEqual(after(4, 9, 64, 4000, "time", 0.8).slice(-2), [1, 2]);
});

test("if processor time is scarce, a thread needs much more work", () => {
  assert.equal(Math.max(...after(4, 9, 2000, 2000, "work")), 1);
  assert.equal(Math.max(...after(4, 9, 8000, 8000, "work")), 3);
});
