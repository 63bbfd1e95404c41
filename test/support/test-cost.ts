import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { costReport, noteCost, secondsOf } from "./processor-time.js";

/** Measures the processor time of each test file: of its process and of the programs that it starts. */
if (costReport !== undefined) {
  const start = secondsOf(process.pid);
  afterAll(() => {
    noteCost(relative(process.cwd(), expect.getState().testPath!), secondsOf(process.pid) - start);
  });
}
