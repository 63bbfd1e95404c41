/** Every example of a code is exported: the wrong text gives exactly that code, the right one nothing. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CodeExample, codes } from "../../src/cli/codes.js";
import { runExport } from "../../src/export/index.js";
import type { Diagnostic } from "../../src/lib/diagnostic/index.js";
import { sampleOf } from "../quality/bundle.js";
import { ofWholeFiles } from "../support/carets.js";
import { temporaryFolder } from "../support/cli.js";
import { createPoolInProcess } from "../support/pool-in-process.js";

type Files = Readonly<Record<string, string>>;

const base = {
  theme: '"mint"',
  name: '"Acme"',
  colors: '{ "primary": "#16A34A" }',
  navigation: '{ "pages": ["index"] }',
};

/** Of an export of the files: the site is in the folder "docs" of a new folder. */
async function findings(files: Files, { site = "docs", ...options } = {}): Promise<readonly Diagnostic[]> {
  const folder = temporaryFolder();
  for (const [line, text] of Object.entries(files)) {
    const [path, target] = line.split(" -> ");
    const file = join(folder, "docs", path!);
    mkdirSync(dirname(file), { recursive: true });
    if (target === undefined) writeFileSync(file, text);
    else symlinkSync(target, file);
  }
  const { diagnostics } = await runExport(
    { source: join(folder, site), ...options },
    { pagePool: createPoolInProcess },
  );
  // An example has no more text than it needs.
  return diagnostics.filter(({ what }) => what !== "The page is empty.");
}

/** The files and options for one of the texts of an example. */
function siteOf(
  { files = {}, wrongFiles = {}, ...example }: CodeExample,
  which: "wrong" | "right",
): Parameters<typeof findings> {
  const text = example[which];
  const isFile = !example.in.startsWith("the ");
  const all: Record<string, string> = {
    "docs.json": "",
    "index.mdx": "Hello.",
    ...files,
    ...(which === "wrong" && wrongFiles),
    ...(isFile && { [example.in]: text }),
  };
  all["docs.json"] = settings(all["docs.json"]!);
  all["index.mdx"] = page(all["index.mdx"]!);
  if (example.in === "the folder") {
    const outside = Object.keys(all).filter((path) => path.startsWith("../"));
    const listed = [...text.split("\n"), ...outside];
    return [
      Object.fromEntries(listed.map((path) => [path, all[path] ?? (/\.mdx?$/.test(path) ? page("Hello.") : "")])),
    ];
  }
  if (isFile) return [all, example.options];
  const [, site, paths] = /^offprint \w+ (\w+)(?: --paths (\w+))?$/.exec(text)!;
  return [all, { site, ...(paths && { paths: [paths] }) }];
}

const page = (text: string): string => (text.startsWith("---") ? `${text}\n` : `---\ntitle: Welcome\n---\n\n${text}\n`);

function settings(text: string): string {
  if (/^[[{]/.test(text)) return `${text}\n`;
  const rest = Object.entries(base).filter(([name]) => !text.includes(`"${name}": `));
  return `{\n${[...rest.map(([name, value]) => `"${name}": ${value}`), ...(text ? [text] : [])].join(",\n")}\n}\n`;
}

test("every code has an example, or a reason why it has none", () => {
  for (const { code, example, withoutExample } of codes)
    expect([code, example === undefined]).toEqual([code, withoutExample !== undefined]);
});

const short = ({ code, location, what }: Diagnostic): string => `${code} ${location?.sourcePath}: ${what}`;
const withExample = codes.flatMap(({ code, example }) => (example ? [{ code, ...example }] : []));
const ofPages = withExample.filter((each) => each.in === "index.mdx" && !each.options && !each.files?.["docs.json"]);
const fileOf = (code: string): string => `${code.toLowerCase()}.mdx`;

describe("examples of pages", () => {
  /** One site with a page for each example. */
  const siteOfAll = (which: "wrong" | "right"): Files =>
    Object.assign(
      { "docs.json": settings(""), "index.mdx": page("Hello.") },
      ...ofPages.map((each) => ({
        ...each.files,
        ...(which === "wrong" && each.wrongFiles),
        [fileOf(each.code)]: page(each[which]),
      })),
    );
  test("the right examples have no fault", async () => {
    expect((await findings(siteOfAll("right"))).map(short)).toEqual([]);
  });
  test("the wrong examples have exactly the fault that they show", async () => {
    const found = await findings(siteOfAll("wrong"));
    const byExample = ofPages.map(({ code, wrongFiles = {} }) => {
      const own = new Set([fileOf(code), ...Object.keys(wrongFiles)]);
      const here = found.filter(({ location }) => own.has(location?.sourcePath ?? ""));
      return [code, [...new Set(here.map((each) => each.code))]];
    });
    expect(withoutLine(found)).toEqual([]);
    expect(byExample).toEqual(ofPages.map(({ code }) => [code, [code]]));
  });
});

/** Of the examples that are faults of a file's text, those without a line. */
const withoutLine = (found: readonly Diagnostic[]): string[] =>
  found.filter(({ code, location }) => location?.line === undefined && !ofWholeFiles.has(code)).map(short);

describe("examples of other files, folders and command lines", () => {
  for (const each of sampleOf(
    withExample.filter((example) => !ofPages.includes(example)),
    16,
  ))
    test(each.code, async () => {
      const wrong = await findings(...siteOf(each, "wrong"));
      expect([...new Set(wrong.map(({ code }) => code))], wrong.map(short).join("\n")).toEqual([each.code]);
      expect(withoutLine(wrong)).toEqual([]);
      expect((await findings(...siteOf(each, "right"))).map(short)).toEqual([]);
    });
});
