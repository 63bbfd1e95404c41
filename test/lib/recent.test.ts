import assert from "node:assert/strict";
import { test } from "vitest";
import { createRecent } from "../../src/lib/memo.js";

test("the most recently used values are cached, but failures are not", async () => {
  const recent = createRecent<string>(2);
  const made: string[] = [];
  const get = (key: string): Promise<string> =>
    recent(key, async () => {
      made.push(key);
      if (key === "bad") throw new Error("bad");
      return key.toUpperCase();
    });
  assert.deepEqual(await Promise.all([get("a"), get("a"), get("b")]), ["A", "A", "B"]);
  await get("a");
  await get("c");
  assert.deepEqual(made, ["a", "b", "c"]);
  await get("a");
  assert.deepEqual(made, ["a", "b", "c"]);
  await get("b");
  assert.deepEqual(made, ["a", "b", "c", "b"]);
  await assert.rejects(get("bad"));
  await assert.rejects(get("bad"));
  assert.deepEqual(made.slice(-2), ["bad", "bad"]);
});
