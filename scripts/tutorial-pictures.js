// Retakes the pictures of the handbook's tutorial and of the guides for moving from another tool: node scripts/tutorial-pictures.js
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { status } = spawnSync(
  "npx",
  ["vitest", "run", "test/handbook/tutorial.test.ts", "test/handbook/move-guides.test.ts"],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, OFFPRINT_PICTURES: `${root}fixtures/handbook/images` },
  },
);
process.exitCode = status ?? 1;
