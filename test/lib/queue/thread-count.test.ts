import assert from "node:assert/strict";
import { test } from "vitest";
import { createThreadCount } from "../../../src/lib/queue/thread-count.js";

/** Number of threads after each of several tasks of the same duration. */
function after(most: number, ms: number, tasks: number, all: number): number[] {
  const count = createThreadCount(most);
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
  const count = createThreadCount(4);
  for (let i = 0; i < 200; i++) assert.equal(count.after(i < 32 ? 25 : 4, 600 - i), 1);
});

test("the number of threads does not fall as tasks run out", () => {
  assert.deepEqual(after(4, 9, 4000, 4000).slice(-3), [4, 4, 4]);
});
