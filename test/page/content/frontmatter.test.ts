import { expect, test } from "vitest";
import { parsePlainLines } from "../../../src/page/content/frontmatter/plain-lines.js";
import { parseYamlBlock } from "../../../src/page/content/frontmatter/yaml-block.js";
import { parseFrontmatter } from "../../../src/page/content/index.js";
import { withinCpu } from "../../support/machine-time.js";
import { corpusPages } from "./corpus-pages.js";

const read = (source: string) => {
  const { frontmatter, bodyStart, diagnostics } = parseFrontmatter(source, "page.mdx");
  return { frontmatter, body: source.slice(bodyStart), codes: diagnostics.map(({ code }) => code) };
};

const blocks = [
  // front matter …                        source                               values              body
  ["may be missing", "# x", {}, "# x"],
  ["may be empty", "---\n---\nx", {}, "x"],
  ["is cut off", "---\ntitle: A b\n---\n\nx", { title: "A b" }, "\nx"],
  ["may follow a byte-order mark", "\uFEFF---\ntitle: A\n---\nx", { title: "A" }, "x"],
  ["may follow blank lines", "\n \n---\ntitle: A\n---\nx", { title: "A" }, "x"],
  ["may have CRLF", "---\r\ntitle: A\r\ntag: b\r\n---\r\nx", { title: "A", tag: "b" }, "x"],
  ["may end the file", "---\ntitle: A\n---", { title: "A" }, ""],
  [
    "may write a key in other capitals",
    "---\nTitle: A\nHIDEFOOTERPAGINATION: true\n---\n",
    { title: "A", hideFooterPagination: true },
    "",
  ],
  ["keeps the capitals of a site's own keys", "---\nPriceList: A\n---\n", { PriceList: "A" }, ""],
  [
    "may quote a flag",
    "---\nhidden: 'True'\nhideApiMarker: \"false\"\ntitle: 'true'\n---\n",
    { hidden: true, hideApiMarker: false, title: "true" },
    "",
  ],
  [
    "may hold quoted keys",
    "---\n\"og:image\": /a.png\n'twitter:x': y\nog:url: z\n---\n",
    { "og:image": "/a.png", "twitter:x": "y", "og:url": "z" },
    "",
  ],
  ["may hold comments", "---\n# c\ntitle: A # d\nb: x#y\n---\n", { title: "A", b: "x#y" }, ""],
  ["may hold colons in words", "---\nurl: https://a.b/c\nt: a:b\n---\n", { url: "https://a.b/c", t: "a:b" }, ""],
  [
    "may hold lists",
    "---\na: [x, 'y z', \"w\", 3]\nb:\n  - c\n  - d\n---\n",
    { a: ["x", "y z", "w", 3], b: ["c", "d"] },
    "",
  ],
  ["may nest", "---\na:\n  b: 1\n  c: [d]\n---\n", { a: { b: 1, c: ["d"] } }, ""],
  ["may hold block text", "---\na: |\n  b\n  c\nd: >-\n  e\n  f\n---\n", { a: "b\nc\n", d: "e f" }, ""],
  ["may go on in the next line", "---\na: b\n  c\n---\n", { a: "b c" }, ""],
  ["reads escapes in double quotes", '---\na: "b\\"c\\n"\n---\n', { a: 'b"c\n' }, ""],
  ["reads doubled single quotes", "---\na: 'it''s'\n---\n", { a: "it's" }, ""],
  ["has empty values", "---\na:\nb: ~\nc: null\nd: ''\n---\n", { a: null, b: null, c: null, d: "" }, ""],
  ["is not a rule further down", "x\n\n---\na: b\n---\n", {}, "x\n\n---\na: b\n---\n"],
  ["is not a rule of four dashes", "----\na: b\n----\n", {}, "----\na: b\n----\n"],
] as const;
for (const [rule, source, frontmatter, body] of blocks)
  test(`front matter ${rule}`, () => expect(read(source)).toEqual({ frontmatter, body, codes: [] }));

test("front matter prefers the exact key, and reports the other", () =>
  expect(read("---\nTitle: No\ntitle: Yes\nTAG: No\n---\n")).toEqual({
    frontmatter: { title: "Yes", tag: "No" },
    body: "",
    codes: ["FRONTMATTER_KEY_UNKNOWN"],
  }));

const scalars = [
  ["10.20", "10.20"],
  ["10.5", 10.5],
  ["2024", 2024],
  ["-3", -3],
  ["0", 0],
  ["007", "007"],
  ["1e3", "1e3"],
  ["0x10", "0x10"],
  ["0o17", "0o17"],
  ["1_000", "1_000"],
  [".5", ".5"],
  ["5.", "5."],
  ["+1", "+1"],
  [".inf", ".inf"],
  [".nan", ".nan"],
  ["123456789012345678901234567890", "123456789012345678901234567890"],
  ["2024-01-02", "2024-01-02"],
  ["2024-01-02T03:04:05Z", "2024-01-02T03:04:05Z"],
  ["12:30", "12:30"],
  ["yes", "yes"],
  ["no", "no"],
  ["on", "on"],
  ["true", true],
  ["False", false],
  ["TRUE", true],
  ["tRue", "tRue"],
  ["Null", null],
  ['"10"', "10"],
  ["'true'", "true"],
  ["GET /users/{id}", "GET /users/{id}"],
  ["What's new?", "What's new?"],
  ["v1.2.0-beta", "v1.2.0-beta"],
  ["=", "="],
  ["<b>", "<b>"],
] as const;
for (const [typed, value] of scalars)
  test(`front matter reads ${typed} as ${JSON.stringify(value)}, in plain lines and as YAML`, () => {
    expect(read(`---\na: ${typed}\n---\n`).frontmatter).toEqual({ a: value });
    expect(parseYamlBlock(`a: ${typed}\n`)).toEqual({ value: { a: value }, faults: [] });
  });

const mistakes = [
  // a mistake: …            source                                                  code                      kept
  ["another language", "---js\nmodule.exports = {a: 1}\n---\nx", "FRONTMATTER_LANGUAGE", {}],
  ["an empty block before it", "---\n\n---\ntitle: A\n---\nx", "FRONTMATTER_UNCLOSED", { title: "A" }],
  ["no closing line", "---\ntitle: A\ntag: b\n\nx", "FRONTMATTER_UNCLOSED", { title: "A", tag: "b" }],
  ["a colon in a plain value", "---\ntitle: A: b\ntag: c\n---\n", "FRONTMATTER_SYNTAX", { title: "A: b", tag: "c" }],
  ["a quote that is not closed", '---\ntitle: "A\ntag: c\n---\n', "FRONTMATTER_SYNTAX", { title: '"A', tag: "c" }],
  [
    "a quoted text that goes on at the margin",
    '---\na:\n  "b\nc"\nd: e\n---\n',
    "FRONTMATTER_INDENT",
    { a: "b c", d: "e" },
  ],
  ["text without keys", "---\njust words\n---\n", "FRONTMATTER_NOT_A_MAP", {}],
  ["a list", "---\n- a\n---\n", "FRONTMATTER_NOT_A_MAP", {}],
  ["a key given twice", "---\na: 1\na: 2\n---\n", "FRONTMATTER_SYNTAX", { a: 2 }],
  ["a key that reaches a prototype", "---\n__proto__: {polluted: 1}\na: 1\n---\n", "FRONTMATTER_KEY_REFUSED", { a: 1 }],
  ["constructor as a key", "---\na:\n  constructor: 1\n  b: 2\n---\n", "FRONTMATTER_KEY_REFUSED", { a: { b: 2 } }],
  ["a very long block", `---\na: ${"x".repeat(70_000)}\n---\n`, "FRONTMATTER_TOO_LARGE", {}],
  ["deep brackets", `---\na: ${"[".repeat(5000)}\n---\n`, "FRONTMATTER_TOO_DEEP", {}],
  [
    "deep indentation",
    `---\n${Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")}\n---\n`,
    "FRONTMATTER_TOO_DEEP",
    {},
  ],
  ["deep dashes", `---\na:\n  ${"- ".repeat(5000)}x\n---\n`, "FRONTMATTER_TOO_DEEP", {}],
] as const;
for (const [what, source, code, frontmatter] of mistakes)
  test(`a mistake in front matter: ${what}`, () => {
    const result = read(source);
    expect(new Set(result.codes)).toEqual(new Set([code]));
    expect(result.frontmatter).toEqual(frontmatter);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

test("an alias bomb stays small", async () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level++)
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  await withinCpu(1000, () => {
    const { frontmatter, codes } = read(`---\n${lines.join("\n")}\n---\nx`);
    expect(codes).toContain("FRONTMATTER_TOO_LARGE");
    expect(JSON.stringify(frontmatter).length).toBeLessThan(1_000_000);
  });
});

test("a mistake has its line and column", () => {
  const [first] = parseFrontmatter("\n---\na: 1\ntitle: A: b\n---\n", "page.mdx").diagnostics;
  expect(first?.location).toEqual({ sourcePath: "page.mdx", line: 4, column: 8, length: 4 });
  expect(first?.fix).toBe('write title: "A: b"');
});

test("a page that names an endpoint with both openapi and api is told that api is ignored", () => {
  const { diagnostics } = parseFrontmatter("---\nopenapi: GET /a\napi: POST /b\n---\n", "page.mdx");
  expect(diagnostics).toMatchObject([
    { code: "FRONTMATTER_KEY_UNKNOWN", location: { line: 3, column: 1 }, fix: 'remove "api", or remove "openapi".' },
  ]);
});

test("a key with a word more than a known one, and a line behind //, are no misspellings", () => {
  expect(parseFrontmatter("---\nversionTo: A\n// description: B\n---\n", "page.mdx").diagnostics).toEqual([]);
});

test("the fast path for plain lines gives the same as YAML on every page of the corpora", () => {
  let fast = 0;
  let all = 0;
  for (const { source } of corpusPages()) {
    const block = /^(?:\s*\n)?---\r?\n([\s\S]*?\n)---\s*$/m.exec(source)?.[1];
    if (block === undefined || !source.trimStart().startsWith("---")) continue;
    all++;
    const plain = parsePlainLines(block);
    if (plain === undefined) continue;
    fast++;
    expect(parseYamlBlock(block)).toEqual({ value: plain, faults: [] });
  }
  console.log(`front matter: ${fast} of ${all} blocks are plain lines`);
  expect(fast / all).toBeGreaterThan(0.8);
});
