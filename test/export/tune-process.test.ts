import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundleModule } from "../support/bundle-module.js";

const tuned = bundleModule(fileURLToPath(new URL("../../src/export/tune-process.ts", import.meta.url)));
const outputOf = (script: string): unknown =>
  JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }));

// While a collection is under way, V8 counts pages of both halves twice.
it("sets the space for young objects of the main thread to 16 MiB, which stays so", { retry: 2 }, () => {
  const script = `
    import { tuneProcess } from ${JSON.stringify(tuned)};
    import { getHeapSpaceStatistics } from "node:v8";
    const bytes = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
    tuneProcess();
    const sizes = [bytes()];
    const inUse = [];
    for (let count = 0; count < 1_000_000; count++) inUse.push([count]);
    console.log(JSON.stringify([...sizes, bytes()]));`;
  // Two halves of 8 MiB.
  expect(outputOf(script)).toEqual([2 ** 24, 2 ** 24]);
});

it("loads no module of the exporter, which must be loaded after V8 is tuned", () => {
  const source = readFileSync(new URL("../../src/export/tune-process.ts", import.meta.url), "utf8");
  const imports = [...source.matchAll(/^import (?!type ).* from "(.*)";$/gm)].map(([, from]) => from!);
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((from) => !from.startsWith("node:"))).toEqual([]);
});

it("collects what reading a large specification has left before threads start, and gives nobody else the means", () => {
  const script = `
    import { tuneProcess } from ${JSON.stringify(tuned)};
    import { getHeapStatistics } from "node:v8";
    import { runInNewContext } from "node:vm";
    const megabytes = () => getHeapStatistics().used_heap_size / 2 ** 20;
    const { freeMemory } = tuneProcess();
    const large = () => Array.from({ length: 2_000_000 }, (_, i) => ({ i, next: [i] }));
    globalThis.left = large();
    globalThis.left = undefined;
    const before = megabytes();
    freeMemory();
    console.log(JSON.stringify([before > 100, megabytes() < 30, typeof gc, runInNewContext("typeof gc")]));`;
  expect(outputOf(script)).toEqual([true, true, "undefined", "undefined"]);
});
