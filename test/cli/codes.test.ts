/** Every example of a code is exported: the wrong text gives exactly that code, the right one nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CodeExample, codes } from "../../src/cli/codes.js";
import { runExport } from "../../src/export/index.js";
import type { Diagnostic } from "../../src/lib/diagnostic/index.js";
import { temporaryFolder } from "../support/cli.js";
import { createPoolInProcess } from "../support/pool-in-process.js";

type Files = Readonly<Record<string, string>>;

const base = {
  theme: '"mint"',
  name: '"Acme"',
  colors: '{ "primary": "#16A34A" }',
  navigation: '{ "pages": ["index"] }',
};

async function findings(files: Files): Promise<readonly Diagnostic[]> {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries({ "index.mdx": page("Hello."), "docs.json": settings(""), ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return (await runExport({ source: folder }, { pagePool: createPoolInProcess })).diagnostics;
}

const page = (text: string): string => (text.startsWith("---") ? `${text}\n` : `---\ntitle: Welcome\n---\n\n${text}\n`);

function settings(text: string): string {
  if (/^[[{]/.test(text)) return `${text}\n`;
  const rest = Object.entries(base).filter(([name]) => !text.includes(`"${name}": `));
  return `{\n${[...rest.map(([name, value]) => `"${name}": ${value}`), ...(text ? [text] : [])].join(",\n")}\n}\n`;
}

const withExample = codes.flatMap(({ code, example }) => (example ? [{ code, ...example }] : []));
const ofPages = withExample.filter((each) => each.in === "index.mdx");
const ofSettings = withExample.filter((each) => each.in === "docs.json");
const fileOf = (code: string): string => `${code.toLowerCase()}.mdx`;

/** One site with a page for each example. */
const siteOf = (which: "wrong" | "right"): Files =>
  Object.assign(
    {},
    ...ofPages.map((each) => ({
      ...each.files,
      ...(which === "wrong" && each.wrongFiles),
      [fileOf(each.code)]: page(each[which]),
    })),
  );

describe("examples of pages", () => {
  test("the right ones have no fault", async () => {
    expect((await findings(siteOf("right"))).map(short)).toEqual([]);
  });
  test("the wrong ones have exactly the one that they are about", async () => {
    const found = await findings(siteOf("wrong"));
    const byExample = ofPages.map(({ code, wrongFiles = {} }) => {
      const own = new Set([fileOf(code), ...Object.keys(wrongFiles)]);
      const here = found.filter(({ location }) => own.has(location?.sourcePath ?? ""));
      return [code, [...new Set(here.map((each) => each.code))]];
    });
    expect(byExample).toEqual(ofPages.map(({ code }) => [code, [code]]));
  });
});

const short = ({ code, location, what }: Diagnostic): string => `${code} ${location?.sourcePath}: ${what}`;

describe("examples of docs.json", () => {
  const filesOf = ({ files, wrongFiles }: CodeExample, text: string): Files => ({
    ...files,
    ...wrongFiles,
    "docs.json": settings(text),
  });
  for (const each of ofSettings)
    test(each.code, async () => {
      const wrong = await findings(filesOf(each, each.wrong));
      expect([...new Set(wrong.map(({ code }) => code))], wrong.map(short).join("\n")).toEqual([each.code]);
      const { wrongFiles: _, ...rest } = each;
      expect((await findings(filesOf(rest, each.right))).map(short)).toEqual([]);
    });
});
