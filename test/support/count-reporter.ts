import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { whyNoRealSites } from "./corpora.js";
import { noteCost } from "./processor-time.js";

/** Closes a run with the tests that needed a second try, and one plain line of counts. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const { user, system } = process.cpuUsage();
    noteCost("(Vitest)", (user + system) / 1e6);
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "failed" : state]++;
        if (test.diagnostic()?.flaky)
          process.stdout.write(`passed at the second try: ${relative(".", module.moduleId)} > ${test.fullName}\n`);
      }
      if (module.errors().length > 0) counts.failed++;
    }
    if (whyNoRealSites !== undefined) process.stdout.write(`\n${whyNoRealSites}\n`);
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}
