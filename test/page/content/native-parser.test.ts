import * as satteri from "satteri";
import { describe, expect, test } from "vitest";
import type { MarkdownParsers } from "../../../src/page/content/parse/markdown-parsers.js";
import { createNativeParser } from "../../../src/page/content/parse/markdown-parsers.js";
import { maskSource } from "../../../src/page/content/parse/mask-source.js";
import { parseMarkdown } from "../../../src/page/content/parse/parse-markdown.js";
import {
  type ParserLimit,
  ParserLimitError,
  type ParserLimits,
  parserLimits,
} from "../../../src/page/content/parse/parser-limits.js";
import { scanSource } from "../../../src/page/content/parse/scan-source.js";
import { sampleOf } from "../../quality/bundle.js";
import { brokenPages, largePages } from "../../support/large-pages.js";
import { readPage } from "./read-page.js";

/** Sätteri joins every entity with all the text of the paragraph before it. The limits hold for that. */
const isBounded = (kind: string): boolean => kind === "entities";

describe("four times the text takes at most eight times the memory to parse, for", () => {
  let bytes = 0;
  class MdastReader extends satteri.MdastReader {
    constructor(buffer: Uint8Array) {
      super(buffer);
      bytes = buffer.byteLength;
    }
  }
  // In this process: the bytes are the same, and a process for each text takes most of the time.
  const parse = createNativeParser({ ...satteri, MdastReader }, parserLimits, () => undefined);
  const bytesOf = (source: string): number => {
    // As the scan does, which hides from the parser what it would misread.
    parse("mdx", maskSource(source, scanSource(source, 0, true), 0));
    return bytes;
  };
  for (const [kind, page] of sampleOf(Object.entries(largePages), 24))
    test.skipIf(isBounded(kind))(kind, () => {
      const small = bytesOf(page(12_000));
      expect(bytesOf(page(48_000))).toBeLessThanOrEqual(small * 8);
    });
});

const megabyte = 1024 * 1024;
const limitTests: readonly (readonly [ParserLimit, string, Partial<ParserLimits>])[] = [
  ["memory", largePages.entities(150_000), { maxBytes: 100 * megabyte }],
  ["time", brokenPages["open tags"](100_000), { maxMs: 500 }],
];
for (const [limit, source, limits] of limitTests)
  test(`a text that exceeds the ${limit} limit ends the process that parses it, whose time is counted`, () => {
    const all = { ...parserLimits, ...limits };
    const spent: number[] = [];
    const parse = createNativeParser(satteri, all, undefined, (ms) => spent.push(ms));
    expect(() => parse("mdx", source)).toThrow(new ParserLimitError(limit));
    expect(spent).toHaveLength(1);
    if (limit === "time") expect(spent[0]).toBeGreaterThan(all.maxMs);
    expect(spent[0]).toBeLessThan(parserLimits.maxMs);
  });

const parsersThatFail = (limit: ParserLimit): MarkdownParsers => ({
  name: "satteri",
  parseMdx() {
    throw new ParserLimitError(limit);
  },
  parseMarkdown: () => ({ type: "root", children: [] }),
});
const file = { source: "a\n\n<b>c</b>\n\n<b>d</b> {e} {f}\n", sourcePath: "page.mdx", bodyStart: 0, latex: true };

for (const [limit, says] of [
  ["memory", "MB of memory"],
  ["time", "seconds of processor time"],
] as const)
  test(`a page that takes too much ${limit} to parse is refused, and the diagnostic names its most crowded passage`, () => {
    const { ok, diagnostics } = parseMarkdown(parsersThatFail(limit), file);
    expect(ok).toBe(false);
    expect(diagnostics).toMatchObject([{ code: "PAGE_TOO_COMPLEX", location: { line: 5, column: 1 } }]);
    expect(diagnostics[0]!.what).toContain(says);
  });

test("a .md file that takes too long to parse as MDX is parsed as Markdown", () => {
  const parsed = parseMarkdown(parsersThatFail("time"), { ...file, sourcePath: "page.md" });
  expect(parsed).toMatchObject({ ok: true, diagnostics: [] });
});

test("a page with more elements than allowed is refused before its tree is created", async () => {
  const page = await readPage("x\n\n".repeat(350_000));
  expect(page.diagnostics).toMatchObject([{ code: "PAGE_TOO_MANY_NODES" }]);
});

test("if no process can be started, the text is parsed in this process", () => {
  const { execPath } = process;
  process.execPath = "/nowhere/node";
  try {
    const tree = createNativeParser(satteri)("mdx", largePages.cards(60_000));
    expect(tree.children).toHaveLength(2307);
  } finally {
    process.execPath = execPath;
  }
});

test("an element whose end tag is in the last item of a list keeps its name", () => {
  const parse = createNativeParser(satteri);
  const source =
    'Größe 🌱\n\n> <details open>\n> <summary class="a">x</summary>\n>\n> 1. item\n>    </details>\n\nEnd\n';
  const [, quote, end] = parse("mdx", source).children;
  expect(quote).toMatchObject({ children: [{ name: "details", children: [{ name: "summary" }, { type: "list" }] }] });
  expect(end).toMatchObject({ type: "paragraph" });
});
