// Breaks a copy of the handbook, shows the diff of its repair and makes it. The copy is out/broken-handbook; it needs a build.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const copy = join(root, "out/broken-handbook");

/** Each entry is a file, a text in it, and the fault that replaces the text. */
const faults = JSON.parse(readFileSync(join(root, "scripts/handbook-faults.json"), "utf8"));

rmSync(copy, { recursive: true, force: true });
cpSync(join(root, "fixtures/handbook"), copy, { recursive: true });
for (const [file, right, wrong] of faults) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(right, () => wrong),
  );
}
console.log(`${copy} is a copy of the handbook with ${faults.length} faults. First the changes, then the repair:\n`);
for (const options of [["--dry-run"], []])
  spawnSync(process.execPath, [join(root, "dist/cli/main.js"), "fix", copy, ...options], { stdio: "inherit" });
console.log(`\nThe repaired copy is ${copy}`);
