// `npm run sweep -- import FOLDER`: every repository of a folder, converted by `offprint init --from`, exported, and compared with
// its files. Nothing of a repository runs.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkImport, type ImportResult } from "./check-import.ts";

/** The share of what is checked that must be present or reported. */
const bars: Readonly<Record<string, number>> = {
  page: 1,
  "navigation entry": 0.995,
  label: 0.995,
  structure: 0.995,
  "entry read": 0.9,
  "group read": 0.9,
  anchor: 0.99,
  "code block": 0.999,
  "literal leftover": 0.99,
  "error box": 1,
  export: 1,
};

/** @returns the exit code: 1 if a bar is missed, 2 for wrong arguments. */
export async function sweepImports(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: "string" },
      json: { type: "string" },
      keep: { type: "string" },
      examples: { type: "string", default: "3" },
    },
  });
  const [folder] = positionals;
  const names =
    folder === undefined
      ? []
      : readdirSync(resolve(folder), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => name)
          .sort();
  const chosen = names.filter((name) => !values.only || new RegExp(values.only).test(name));
  if (folder === undefined || chosen.length === 0) {
    console.error(
      "Name a folder of repositories: npm run sweep -- import FOLDER [--only WORD] [--keep FOLDER] [--json FILE]",
    );
    return 2;
  }
  const temporary = mkdtempSync(join(tmpdir(), "offprint-import-"));
  const results: ImportResult[] = [];
  try {
    console.log(header);
    for (const name of chosen) {
      const work = values.keep === undefined ? join(temporary, "work") : join(resolve(values.keep), name);
      const result = await checkImport(name, join(resolve(folder), name), work, Number(values.examples));
      results.push(result);
      console.log(rowOf(result));
      for (const { kind, place, what } of [...result.counts.kinds.values()].flatMap(({ examples }) => examples))
        console.log(`    ${kind}: ${place}: ${what}`);
      if (values.json)
        writeFileSync(
          values.json,
          JSON.stringify(
            results.map(({ counts, ...rest }) => ({ ...rest, kinds: Object.fromEntries(counts.kinds) })),
            null,
            1,
          ),
        );
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  console.log(`\n${header}\n${results.map(rowOf).join("\n")}`);
  return results.some(missesBar) ? 1 : 0;
}

const columns = [
  "page",
  "navigation entry",
  "label",
  "structure",
  "entry read",
  "group read",
  "anchor",
  "code block",
  "literal leftover",
  "error box",
] as const;
const header = `${"repository".padEnd(18)} ${"tool".padEnd(11)} exit  init s  cpu s  pages  notes  losses  ${columns.map((name) => name.padStart(16)).join(" ")}`;

function rowOf({
  name,
  tool,
  expectedTool,
  exitCode,
  seconds,
  run,
  pages,
  notes,
  losses,
  counts,
  refused,
}: ImportResult): string {
  if (refused !== undefined) return `${name.padEnd(18)} refused: ${refused.slice(0, 160)}`;
  const cells = columns.map((kind) => {
    const { checked, missed } = counts.kinds.get(kind) ?? { checked: 0, missed: 0 };
    const isBelow = checked > 0 && 1 - missed / checked < bars[kind]!;
    return `${checked - missed}/${checked}${isBelow ? "!" : ""}`.padStart(16);
  });
  const shownTool = expectedTool === tool ? tool : `${tool}?`;
  return `${name.padEnd(18)} ${shownTool.padEnd(11)} ${String(exitCode).padStart(4)} ${seconds.toFixed(1).padStart(7)} ${((run?.cpuMs ?? 0) / 1000).toFixed(0).padStart(6)} ${String(pages).padStart(6)} ${String(notes).padStart(6)} ${String(losses).padStart(7)}  ${cells.join(" ")}`;
}

const missesBar = ({ counts, tool, expectedTool, refused }: ImportResult): boolean =>
  (refused === undefined && tool !== expectedTool) ||
  [...counts.kinds].some(([kind, { checked, missed }]) => checked > 0 && 1 - missed / checked < (bars[kind] ?? 1));
