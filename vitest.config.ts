import { defineConfig } from "vitest/config";
import { requireRealSites } from "./test/support/corpora.js";

requireRealSites();

export default defineConfig({
  // The JSX runtime of the export has no development form.
  oxc: { jsx: { development: false } },
  // As Node resolves, which knows nothing of "module": some packages give files there that only bundlers can read.
  resolve: { conditions: ["offprint-source", "node", "development|production"] },
  ssr: { resolve: { conditions: ["offprint-source", "node", "development|production"] } },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    // A machine may run at a third of its speed for a while; nothing waits this long where all is well.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // Browsers and processes are waited for most of the time.
    maxWorkers: 3,
    // They leave each other no core free: V8 helps itself to less of them.
    execArgv: ["--initial-heap-size=600", "--min-semi-space-size=16", "--no-parallel-scavenge", "--battery-saver-mode"],
    // No state outlives a run of the engine, so files may follow each other in one process, which has it loaded.
    isolate: false,
    setupFiles: ["./test/support/unchanged-process.ts"],
    globalSetup: ["./test/support/temporary-folder.ts", "./test/support/postgres.ts"],
    reporters: ["default", "./test/support/count-reporter.ts"],
  },
});
