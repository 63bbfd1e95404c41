import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { test } from "vitest";
import { watchIdleCores } from "../../../src/lib/queue/worker-pool.js";

test("the number of idle cores is between none and all, measured since the last call", async () => {
  const idleCores = watchIdleCores();
  for (let i = 0; i < 2; i++) {
    await setTimeout(100);
    const idle = idleCores();
    assert.ok(idle >= 0 && idle <= 2 * availableParallelism() + 64, String(idle));
  }
});
