// How much processor time does an engine of ours take, compared with the library that could replace it? Both get the same
// input, in turns, and their outputs are compared first. Prints one JSON line.
//
//   measure-own-engines.ts <engine> <site> <output>
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as codeEngines from "./own-engines/code-engines.ts";
import type { OpenEngine } from "./own-engines/engine.ts";
import * as exportEngines from "./own-engines/export-engines.ts";
import * as serverEngines from "./own-engines/server-engines.ts";
import * as specificationEngines from "./own-engines/specification-engines.ts";
import { processorMs } from "./processor-time.ts";

const rounds = 5;
const [name, site, output] = process.argv.slice(2);
const engines: Readonly<Record<string, OpenEngine>> = {
  ...exportEngines,
  ...codeEngines,
  ...specificationEngines,
  ...serverEngines,
};
const open = engines[name ?? ""];
if (open === undefined || site === undefined || output === undefined)
  throw new Error(`usage: measure-own-engines.ts <${Object.keys(engines).join("|")}> <site> <output>`);

const texts = globSync("**/*.{md,mdx}", { cwd: site })
  .toSorted()
  .map((path) => readFileSync(join(site, path), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "offprint-engines-"));
try {
  const engine = await open(texts, folder);
  const facts = await engine.compare();
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round <= rounds; round++)
    for (const side of round % 2 === 0 ? (["ours", "theirs"] as const) : (["theirs", "ours"] as const)) {
      const before = processorMs();
      await engine[side]();
      // The first round compiles the code.
      if (round > 0) times[side].push(processorMs() - before);
    }
  await engine.close?.();
  const [oursMs, theirsMs] = [median(times.ours), median(times.theirs)];
  const { library, unit, count } = engine;
  console.log(
    JSON.stringify({
      engine: name,
      library,
      [unit]: count,
      oursMs,
      theirsMs,
      share: round2(oursMs / theirsMs),
      ...facts,
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return round2(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!);
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
