import { expect, test } from "vitest";
import type { ExportProcess } from "../../../src/service/worker/export-process.js";
import { keepSpareProcess } from "../../../src/service/worker/spare-process.js";

const unused = (): ExportProcess =>
  ({ hasStarted: false, hasEnded: false, canRead: () => true, remove: async () => {} }) as unknown as ExportProcess;

test.each([
  ["keeps a spare process takes back an unused one", true, 1],
  ["keeps none starts one for each job", false, 2],
])("a worker that %s", (_, isKept, count) => {
  let started = 0;
  const processes = keepSpareProcess(() => {
    started++;
    return unused();
  }, isKept);
  processes.refill();
  const first = processes.take();
  expect(processes.putBack(first)).toBe(isKept);
  processes.refill();
  processes.take();
  expect(started).toBe(count);
});
