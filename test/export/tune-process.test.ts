import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundleModule } from "../support/bundle-module.js";

// While a collection is under way, V8 counts pages of both halves twice.
it("sets the space for young objects of the main thread to 16 MiB, which stays so", { retry: 2 }, () => {
  const tuned = bundleModule(fileURLToPath(new URL("../../src/export/tune-process.ts", import.meta.url)));
  const script = `
    import { tuneProcess } from ${JSON.stringify(tuned)};
    import { getHeapSpaceStatistics } from "node:v8";
    const bytes = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
    tuneProcess();
    const sizes = [bytes()];
    const inUse = [];
    for (let count = 0; count < 1_000_000; count++) inUse.push([count]);
    console.log(JSON.stringify([...sizes, bytes()]));`;
  const run = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
  // Two halves of 8 MiB.
  expect(JSON.parse(run)).toEqual([2 ** 24, 2 ** 24]);
});
