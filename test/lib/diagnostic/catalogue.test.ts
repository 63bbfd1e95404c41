/** The handbook names every code that an export can report, each once, and no other. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const project = join(import.meta.dirname, "../../..");
const sources = join(project, "src");
const read = (path: string): string => readFileSync(path, "utf8");

/** Words in upper case that are not codes. */
const others = new Set(["ERR_WORKER_OUT_OF_MEMORY", "SCRIPT_DATA", "YOUR_API_KEY"]);
/** Rooms that report no diagnostics; names of their settings look like codes. */
const around = /^(cli|serve|service)[/\\]/;

function codesInSource(): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.tsx?$/.test(path) && !around.test(path),
  );
  const words = files.flatMap((path) => read(join(sources, path)).match(/(?<=")[A-Z]{3,}(?:_[A-Z]+)+(?=")/g) ?? []);
  return [...new Set(words)].filter((word) => !others.has(word)).toSorted();
}

/** Code and kind of every row. */
const rows = [
  ...read(join(project, "fixtures/handbook/reference/diagnostics.mdx")).matchAll(/^\| `([A-Z_]+)` \| ([a-z, ]+) \|/gm),
];

test("the catalogue has every code of the source once", () => {
  expect(rows.map(([, code]) => code).toSorted()).toEqual(codesInSource());
});

test("the kind in the catalogue is the one that is reported", () => {
  const kinds = new Map<string, Set<string>>();
  const mistakes = join(project, "fixtures/mistakes");
  for (const name of readdirSync(mistakes))
    for (const [, kind = "", code = ""] of read(join(mistakes, name, "expected.txt")).matchAll(
      /^(error|warning) ([A-Z_]+)/gm,
    ))
      kinds.set(code, (kinds.get(code) ?? new Set()).add(kind));
  for (const [, code = "", kind = ""] of rows)
    for (const seen of kinds.get(code) ?? []) expect(kind.split(", "), code).toContain(seen);
});
