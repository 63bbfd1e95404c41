import { expect, test } from "vitest";
import { createContentReader } from "../../../src/page/content/index.js";
import { sweeping } from "../../quality/bundle.js";
import { memoryFiles } from "../../support/memory-files.js";
import { corpusPages } from "./corpus-pages.js";
import { outline } from "./read-page.js";

const config = {
  // `release` and `port` are variables of the gallery.
  variables: { v: "1.2", release: "3.2.1", port: "7420" },
  styling: { codeblocks: { mode: "system" as const, theme: { light: "a", dark: "b" }, customLanguages: [] } },
};

const inline = [
  ["words", 'p("words")'],
  ["a *b* `c` [d](/e)", 'p("a ", emphasis("b"), " ", inlineCode(c), " ", link("d"))'],
  ["$x$ {{v}}", 'p(inlineMath(x), " 1.2")'],
  ["a < b, {c d", 'p("a < b, {c d")'],
  ["{id}", 'p("{id}")'],
  ["<Icon icon='x' /> y", 'p(<Icon icon="x">, " y")'],
  ["", ""],
] as const;
for (const [text, tree] of inline)
  test(`the short text "${text}" is read without positions`, async () => {
    const reader = await createContentReader({ files: memoryFiles({}), config, markdownComponents: new Set() });
    const read = reader.readInline(text);
    expect(outline(read)).toBe(tree);
    expect(JSON.stringify(read)).not.toContain('"position"');
  });

test("callouts in a description contain Markdown, and those in code are shown as typed", async () => {
  const reader = await createContentReader({ files: memoryFiles({}), config, markdownComponents: new Set() });
  const written = "Before.\n<Warning>\n  **Beta**:\n  - one\n    - two\n</Warning>\n<Tip>Sign in.</Tip>\nAfter.";
  const read = reader.readForeign(written);
  expect(read.map((node) => ("name" in node ? node.name : node.type))).toEqual([
    "paragraph",
    "Warning",
    "Tip",
    "paragraph",
  ]);
  expect(JSON.stringify(read)).toMatch(/"Warning".*"strong".*"list".*"list".*"Tip".*"Sign in\."/);
  const titled = reader.readForeign(
    '<Note title="Season" icon="leaf">Only in spring.</Note>\n<Notes>a</Notes>\n<Tip />',
  );
  expect(JSON.stringify(titled)).toMatch(/"Note".*"Only in spring\.".*"title":"Season"/);
  expect(titled.filter((node) => "name" in node)).toHaveLength(1);
  for (const text of ["```\n<Note>\na\n</Note>\n```", "<Note>\nopen", `${"<Note>".repeat(20_000)}`])
    expect(reader.readForeign(text).some((node) => "name" in node)).toBe(false);
});

test("a callout of ReadMe in a description is that of its theme, with its Markdown", async () => {
  const reader = await createContentReader({ files: memoryFiles({}), config, markdownComponents: new Set() });
  const callout = (attributes: string) => `Before.\n\n<Callout${attributes}>\n  Send *now*.\n</Callout>`;
  for (const [attributes, name] of [
    [' icon="📘" theme="info"', "Info"],
    [' theme="warn"', "Warning"],
    [' icon="👍"', "Note"],
    ["", "Note"],
  ] as const)
    expect(JSON.stringify(reader.readForeign(callout(attributes))), attributes).toMatch(
      new RegExp(`"name":"${name}".*"emphasis"`),
    );
});

test("HTML tags that only wrap a description are dropped, and a placeholder is shown as typed", async () => {
  const reader = await createContentReader({ files: memoryFiles({}), config, markdownComponents: new Set() });
  const htmlOf = (text: string) => reader.readForeign(text).map((node) => ("value" in node ? node.value : ""));
  expect(htmlOf("<p>Send a <token>.</p> <note> <p>Now.</p> </note>")).toEqual([
    "<p>Send a &lt;token>.</p>  <p>Now.</p> ",
  ]);
  expect(JSON.stringify(reader.readForeign("<note> <b>a</b> </note>"))).not.toContain("note");
  expect(JSON.stringify(reader.readForeign("First <Note>sign in *now*</Note>."))).not.toContain("Note");
  expect(JSON.stringify(reader.readForeign("Send `<Note>`, <Token>x</Token>."))).toMatch(/"<Note>".*"<Token>"/);
  expect(htmlOf("<div><script>a</script></div>")).toEqual(["<div>&lt;script>a&lt;/script></div>"]);
  expect(htmlOf(`<p>${"word ".repeat(10_000)}</p>`)).toEqual([`<p>${"word ".repeat(10_000)}</p>`]);
});

test("an image in a description may have a size in the syntax of markdown-it", async () => {
  const reader = await createContentReader({ files: memoryFiles({}), config, markdownComponents: new Set() });
  const urlIn = (text: string) => /"url":"([^"]*)"/.exec(JSON.stringify(reader.readForeign(text)))?.[1];
  for (const size of ["20x30", "20px", "128pxx32px", "50%x"]) expect(urlIn(`![A](b.png =${size})`)).toBe("b.png");
  expect(urlIn("![A](b.png =x)")).toBeUndefined();
});

test("a reader gives the same page twice", async () => {
  const files = memoryFiles({
    "page.mdx": 'import A from "/a.mdx"\n\n# H\n\n<A w="1"/>\n\n<A w="2"/>',
    "a.mdx": "# H\n\n- {w}\n\n| a |\n|---|\n| {w} |",
  });
  const reader = await createContentReader({ files, config, markdownComponents: new Set() });
  const first = JSON.stringify(reader.read({ sourcePath: "page.mdx" }));
  expect(JSON.stringify(reader.read({ sourcePath: "page.mdx" }))).toBe(first);
  expect(first).toContain('"id":"h-3"');
});

// Headings, and the codes that are reported about them.
const headings = [
  ["of one section with the same text", "## A\n\n### B\n\n### B", ["HEADING_TWICE"]],
  ["with the same text in two sections", "## A\n\n### B\n\n## C\n\n### B", []],
  ["with the same text in two elements", "<div>\n\n## A\n\n</div>\n\n<div>\n\n## A\n\n</div>", []],
  ["that name forms of one function", "## `map`\n\n## `map`", []],
  ["with one id", "## A {#a}\n\n## B {#a}", ["HEADING_TWICE"]],
  ["with the same text and ids of their own", "## A {#a}\n\n## A {#b}", []],
] as const;
for (const [rule, text, codes] of headings)
  test(`headings ${rule} are ${codes.length > 0 ? "reported" : "no fault"}`, async () => {
    const reader = await createContentReader({ files: memoryFiles({}), config, markdownComponents: new Set() });
    const { diagnostics } = reader.read({ sourcePath: "page.mdx", generated: { text } });
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });

// Text of real pages that looks like a fault, and is none.
const sound = [
  ["identifiers that begin with _", "The swap of the _resync tables, where _wallet is one."],
  ["arguments of Python", "Type hints for **kwargs and further *args here."],
  ["an address with a query", "https://a.example/?a=1&copy=2 and AT&T"],
  ["brackets and a path in words", "Call f(/a) for [x] and y](z)."],
] as const;
for (const [rule, text] of sound)
  test(`${rule} are not reported as faulty marks or links`, async () => {
    const reader = await createContentReader({ files: memoryFiles({}), config, markdownComponents: new Set() });
    expect(reader.read({ sourcePath: "page.mdx", generated: { text } }).diagnostics).toEqual([]);
  });

/** The diagnostics expected for the real sites, and why. */
const deserved = new Set([
  "IMPORT_NOT_FOUND", // .jsx files are left out of the corpora
  "EXPRESSION_AS_TEXT", // {4|5|6}
  "UNDEFINED_NAME", // snippets read on their own, without the properties they are given
  "NEEDS_JAVASCRIPT", // components with hooks
  "HEADING_LEVEL_SKIPPED",
  "HEADING_TWICE",
  "MARK_AS_TEXT", // a backtick too many
  "LINK_AS_TEXT", // references of other tools
  "FOREIGN_MARKUP", // definition lists
  "LIST_NOT_NESTED", // two spaces below "2."
  "UNKNOWN_COMPONENT", // <FileTree>, the name of other tools for <Tree>
]);

test("pages of the corpora parse (all of them in a sweep, otherwise one in ten), and only real mistakes are reported", async () => {
  const byCorpus = Map.groupBy(corpusPages(), ({ corpus }) => corpus);
  const counts = new Map<string, number>();
  for (const pages of byCorpus.values()) {
    const files = memoryFiles(Object.fromEntries(pages.map(({ sourcePath, source }) => [sourcePath, source])));
    const reader = await createContentReader({ files, config, markdownComponents: new Set() });
    for (const { sourcePath } of pages.filter((_, index) => sweeping || index % 10 === 0)) {
      const page = reader.read({ sourcePath });
      expect(page.ok, sourcePath).toBe(true);
      for (const { code, location } of page.diagnostics) {
        counts.set(code, (counts.get(code) ?? 0) + 1);
        expect(deserved, `${sourcePath}:${location?.line} ${code}`).toContain(code);
        expect(location?.line).toBeGreaterThan(0);
      }
    }
  }
  console.log("content: diagnostics of the corpora:", Object.fromEntries(counts));
});

test("a page with an expression that cannot be shown is read and parsed once", async () => {
  const files = memoryFiles({ "page.mdx": "Count: {missing.count}.\n" });
  let reads = 0;
  const readText = (path: string) => {
    reads++;
    return files.readText(path);
  };
  const reader = await createContentReader({ files: { ...files, readText }, config, markdownComponents: new Set() });
  const { diagnostics } = reader.read({ sourcePath: "page.mdx" });
  expect(diagnostics.map(({ code }) => code)).toEqual(["UNDEFINED_NAME"]);
  expect(reads).toBe(1);
});
