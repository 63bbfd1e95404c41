import { defineConfig } from "vitest/config";
import { requireRealSites } from "./test/support/corpora.js";
import { patienceMs, testMs } from "./test/support/patience.js";
import Sequencer from "./test/support/sequencer.js";

requireRealSites();

export default defineConfig({
  // Our JSX runtime has no development version.
  oxc: { jsx: { development: false } },
  // The conditions of Node, without "module": some packages have files there that only bundlers can read.
  resolve: { conditions: ["offprint-source", "node", "development|production"] },
  ssr: { resolve: { conditions: ["offprint-source", "node", "development|production"] } },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    testTimeout: testMs,
    hookTimeout: testMs,
    expect: { poll: { timeout: patienceMs } },
    // More workers than cores: tests mostly wait for browsers and processes.
    maxWorkers: 4,
    // The workers use all cores, so V8 should use fewer threads of its own.
    execArgv: ["--initial-heap-size=600", "--min-semi-space-size=16", "--no-parallel-scavenge", "--battery-saver-mode"],
    // The engine keeps no state between runs, so test files can share a process that has loaded it.
    isolate: false,
    sequence: { sequencer: Sequencer },
    setupFiles: ["./test/support/test-cost.ts", "./test/support/unchanged-process.ts"],
    globalSetup: ["fresh-build.js", "temporary-folder.ts", "postgres.ts", "chromium.ts"].map(
      (name) => `./test/support/${name}`,
    ),
    reporters: ["default", "./test/support/count-reporter.ts"],
  },
});
