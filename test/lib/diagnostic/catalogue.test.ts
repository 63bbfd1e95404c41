/** The table of codes has every code that an export can report, each once, and no other; the handbook's pages are made from it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { codePages } from "../../../scripts/code-pages.ts";
import { codes } from "../../../src/cli/codes.js";

const project = join(import.meta.dirname, "../../..");
const sources = join(project, "src");
const read = (path: string): string => readFileSync(path, "utf8");

/** Words in upper case that are not codes: names of Node, of HTML, of the YAML parser. */
const others = new Set([
  "ERR_ACCESS_DENIED",
  "ERR_WORKER_OUT_OF_MEMORY",
  "SCRIPT_DATA",
  "YOUR_API_KEY",
  "DUPLICATE_KEY",
  "MISSING_CHAR",
]);
/** Rooms that report no diagnostics; names of their settings look like codes. */
const around = /^(cli|serve|service)[/\\]/;

function codesInSource(): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.tsx?$/.test(path) && !around.test(path),
  );
  const words = files.flatMap((path) => read(join(sources, path)).match(/(?<=")[A-Z]{3,}(?:_[A-Z0-9]+)+(?=")/g) ?? []);
  return [...new Set(words)].filter((word) => !others.has(word)).toSorted();
}

test("the catalogue has every code of the source once", () => {
  expect(codes.map(({ code }) => code).toSorted()).toEqual(codesInSource());
});

test("the kind in the catalogue is the one that is reported", () => {
  const kinds = new Map<string, Set<string>>();
  const mistakes = join(project, "fixtures/mistakes");
  for (const name of readdirSync(mistakes))
    for (const [, kind = "", code = ""] of read(join(mistakes, name, "expected.txt")).matchAll(
      /^(error|warning) ([A-Z0-9_]+)/gm,
    ))
      kinds.set(code, (kinds.get(code) ?? new Set()).add(kind));
  for (const { code, kind } of codes)
    for (const seen of kinds.get(code) ?? []) expect(kind.split(", "), code).toContain(seen);
});

for (const [path, text] of codePages(codes))
  test(`fixtures/handbook/${path} is made from the catalogue`, () => {
    const file = join(project, "fixtures/handbook", path);
    if (process.env["UPDATE_GOLDEN"]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(existsSync(file) && read(file)).toBe(text);
  });

test("the navigation of the handbook lists them", () => {
  const settings = read(join(project, "fixtures/handbook/docs.json"));
  for (const [path] of codePages(codes)) expect(settings).toContain(`"${path.replace(/\.mdx$/, "")}"`);
});
