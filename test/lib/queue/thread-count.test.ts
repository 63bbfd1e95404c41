import assert from "node:assert/strict";
import { test } from "vitest";
import { createThreadCount } from "../../../src/lib/queue/index.js";

/** Threads after each of so many tasks that take the same time. */
function after(most: number, ms: number, tasks: number, all: number): number[] {
  const count = createThreadCount(most);
  return Array.from({ length: tasks }, (_, i) => count.after(ms, all - i - 1));
}

test("one thread does what is done within some seconds", () => {
  assert.equal(Math.max(...after(8, 2.5, 1000, 1000)), 1);
});

test("each thread gets seconds of work, and none comes before the tasks have told how long they take", () => {
  const counts = after(8, 9, 64, 1000);
  assert.equal(counts[62], 1);
  assert.equal(counts[63], 3);
});

test("there are never more threads than cores", () => {
  assert.equal(after(4, 9, 64, 25_000).at(-1), 4);
});

test("a few tasks that take long tell enough", () => {
  assert.deepEqual(after(4, 700, 4, 100), [1, 1, 4, 4]);
});

test("the first tasks, slow while their code is compiled, do not count", () => {
  const count = createThreadCount(4);
  for (let i = 0; i < 200; i++) assert.equal(count.after(i < 32 ? 25 : 4, 600 - i), 1);
});

test("threads stay while tasks run out", () => {
  assert.deepEqual(after(4, 9, 4000, 4000).slice(-3), [4, 4, 4]);
});
