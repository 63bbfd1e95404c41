// `npm run sweep -- specs FOLDER`: every specification of a folder, one after the other.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkSpec } from "./check-spec.ts";
import { findSpecs } from "./find-specs.ts";
import { reportOf, summaryOf } from "./print-result.ts";

/** @returns the exit code: 1 if something is missing, 2 for wrong arguments. */
export async function sweepSpecs(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: "string" },
      skip: { type: "string" },
      json: { type: "string" },
      keep: { type: "string" },
      seconds: { type: "string", default: "600" },
      "walk-seconds": { type: "string", default: "120" },
      samples: { type: "string", default: "40" },
      examples: { type: "string", default: "3" },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error("Name a folder of specifications: npm run sweep -- specs FOLDER [--only WORD] [--json FILE]");
    return 2;
  }
  const specs = findSpecs(resolve(folder), values.only).filter(({ name }) => !values.skip || !name.match(values.skip));
  if (specs.length === 0) {
    console.error(`${folder} has no specification.`);
    return 2;
  }
  const temporary = mkdtempSync(join(tmpdir(), "offprint-sweep-"));
  const results = [];
  try {
    // The small ones first, so that the first results come soon.
    for (const spec of specs.toSorted((a, b) => a.bytes - b.bytes)) {
      const result = await checkSpec(spec, {
        folder:
          values.keep === undefined
            ? join(temporary, "spec")
            : join(resolve(values.keep), spec.name.replaceAll("/", "-")),
        exportSeconds: Number(values.seconds),
        walkSeconds: Number(values["walk-seconds"]),
        samples: Number(values.samples),
        examplesOfKind: Number(values.examples),
      });
      results.push(result);
      console.log(reportOf(result));
      if (values.json) writeFileSync(values.json, JSON.stringify(results.map(jsonOf), null, 1));
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  console.log(summaryOf(results));
  return results.some(({ counts }) => [...counts.kinds.values()].some(({ missed }) => missed > 0)) ? 1 : 0;
}

const jsonOf = ({ counts, ...rest }: Awaited<ReturnType<typeof checkSpec>>) => ({
  ...rest,
  distances: counts.distances,
  cutWalks: counts.cutWalks,
  kinds: Object.fromEntries(counts.kinds),
});
