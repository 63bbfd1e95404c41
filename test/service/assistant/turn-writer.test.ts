import assert from "node:assert/strict";
import { test } from "vitest";
import { createTurnWriter } from "../../../src/service/assistant/threads.js";
import type { NewTurn } from "../../../src/service/jobs/index.js";

const turn = (messageId: string) => ({ messageId }) as NewTurn;

test("turns that end while the process is busy with other answers are stored together", async () => {
  const stored: string[][] = [];
  const add = async (turns: readonly NewTurn[]) => void stored.push(turns.map(({ messageId }) => messageId));
  const writer = createTurnWriter({ add, retentionMs: 1 }, () => {});
  const first = writer.add(turn("a"));
  for (const end = performance.now() + 60; performance.now() < end; );
  // The timer of the first turn has run.
  await new Promise((resolve) => setTimeout(resolve, 1));
  await Promise.all([first, writer.add(turn("b"))]);
  assert.deepEqual(stored, [["a", "b"]]);
  await writer.add(turn("c"));
  assert.deepEqual(stored.at(-1), ["c"]);
});
