import assert from "node:assert/strict";
import { test } from "vitest";
import { createGiveWay } from "../../../src/service/assistant/extractive/give-way.js";

test("of several that wait, one goes on in each turn of the event loop, in their order", async () => {
  const giveWay = createGiveWay();
  const events: string[] = [];
  const run = async (name: string): Promise<void> => {
    events.push(`${name} begins`);
    await giveWay();
    events.push(`${name} ends`);
  };
  const first = run("a");
  const second = run("b");
  // What comes between two turns, such as a new request, is not behind those that wait.
  setImmediate(() => void run("c"));
  await Promise.all([first, second]);
  assert.deepEqual(events, ["a begins", "b begins", "a ends", "c begins", "b ends"]);
  await giveWay();
  assert.equal(events.at(-1), "c ends");
});
