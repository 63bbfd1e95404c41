import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["offprint-source", "module", "node", "development|production"] },
  ssr: { resolve: { conditions: ["offprint-source", "module", "node", "development|production"] } },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
