import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "vitest";
import { createGiveWay } from "../../../src/service/assistant/extractive-answerer.js";

/** Three runs; the third begins one turn after the others. */
async function runThree(giveWay: () => Promise<void>): Promise<string[]> {
  const events: string[] = [];
  const run = async (name: string): Promise<void> => {
    events.push(`${name} begins`);
    await giveWay();
    events.push(`${name} ends`);
  };
  const both = [run("a"), run("b")];
  await turn();
  await Promise.all([...both, run("c")]);
  return events;
}

test("waiting tasks go on once no new ones arrive, one in each turn of the event loop, in their order", async () => {
  const giveWay = createGiveWay();
  const all = ["a begins", "b begins", "c begins", "a ends", "b ends", "c ends"];
  assert.deepEqual(await runThree(giveWay), all);
  let hasEnded = false;
  const others = [giveWay(), giveWay().then(() => (hasEnded = true))];
  await others[0];
  assert.equal(hasEnded, false);
  await Promise.all(others);
});

test("no task waits long because of new ones", async () => {
  assert.deepEqual(await runThree(createGiveWay(0)), [
    "a begins",
    "b begins",
    "a ends",
    "c begins",
    "b ends",
    "c ends",
  ]);
});
