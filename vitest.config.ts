import { defineConfig } from "vitest/config";

export default defineConfig({
  // The JSX runtime of the export has no development form.
  oxc: { jsx: { development: false } },
  // As Node resolves, which knows nothing of "module": some packages give files there that only bundlers can read.
  resolve: { conditions: ["offprint-source", "node", "development|production"] },
  ssr: { resolve: { conditions: ["offprint-source", "node", "development|production"] } },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Browsers and processes are waited for most of the time.
    maxWorkers: 3,
    globalSetup: "./test/support/temporary-folder.ts",
    reporters: ["default", "./test/support/count-reporter.ts"],
  },
});
