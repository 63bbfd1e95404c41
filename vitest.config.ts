import { defineConfig } from "vitest/config";

export default defineConfig({
  // The JSX runtime of the export has no development form.
  oxc: { jsx: { development: false } },
  resolve: { conditions: ["offprint-source", "module", "node", "development|production"] },
  ssr: { resolve: { conditions: ["offprint-source", "module", "node", "development|production"] } },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    // Minutes of axe and layout in a browser: `npm run sweep`.

    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Browsers and processes are waited for most of the time.
    maxWorkers: 3,
    globalSetup: "./test/support/temporary-folder.ts",
    reporters: ["default", "./test/support/count-reporter.ts"],
  },
});
