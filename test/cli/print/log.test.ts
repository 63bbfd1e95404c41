import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { test } from "vitest";
import { createLog } from "../../../src/cli/print/terminal.js";

test("the lines of one turn of the event loop are one write; an error is written at once", async () => {
  const written: string[] = [];
  const out = { isTTY: false, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const log = createLog(out, () => 0);
  log("info", "one");
  log("info", "two", { count: 2 });
  assert.equal(written.length, 0);
  await setImmediate();
  const line = (facts: object): string => `${JSON.stringify({ time: "1970-01-01T00:00:00.000Z", ...facts })}\n`;
  const both = line({ level: "info", message: "one" }) + line({ level: "info", message: "two", count: 2 });
  assert.deepEqual(written, [both]);
  log("info", "three");
  log("error", "four");
  assert.deepEqual(written.slice(1), [
    line({ level: "info", message: "three" }) + line({ level: "error", message: "four" }),
  ]);
  await setImmediate();
  assert.equal(written.length, 2);
});
