import assert from "node:assert/strict";
import { beforeAll, test } from "vitest";
import { createEngine, type Grammar, Tokenizer } from "../../../src/lib/textmate/index.js";
import { parseScopeSelector } from "../../../src/lib/textmate/injections.js";
import { loadCodeTheme, PairTheme } from "../../../src/page/highlight/code-theme.js";
import { LanguageGrammar } from "../../../src/page/highlight/coloring.js";

let theme: PairTheme;
beforeAll(async () => {
  theme = new PairTheme(await loadCodeTheme("github-light"), undefined);
});

const keyword = { match: "\\bkey\\b", name: "keyword.control" };
const chain = Object.fromEntries(
  Array.from({ length: 30_000 }, (_, i) => [`r${i}`, { patterns: [{ include: `#r${i + 1}` }] }]),
);

/** The text of the coloured spans of a block, lines separated by `/`, for a grammar of these parts. */
function colored(code: string, parts: object, others: readonly object[] = []): string {
  const own = { name: "own", scopeName: "source.own", patterns: [], ...parts };
  const tokenizer = new Tokenizer([...others, own] as readonly Grammar[], createEngine({ maxSearchesPerLine: 1000 }));
  const grammar = new LanguageGrammar(tokenizer, theme);
  const lines = grammar.highlight(code.split("\n"), { usedBytes: 0 });
  return lines.map((line) => Array.from(line.matchAll(/<span[^>]*>([^<]*)</g), ([, text]) => text).join(" ")).join("/");
}

const cases: readonly (readonly [rule: string, parts: object, code: string, spans: string])[] = [
  ["colours what matches", { patterns: [keyword] }, "a key\nkeys", "key/"],
  [
    "gives a multi-line span its scope, up to an end that refers to the begin",
    { patterns: [{ begin: "<<(\\w+)", end: "^\\1", contentName: "string" }] },
    "a <<X b\nXY",
    " b/",
  ],
  [
    "ends a `while` rule at the first line that does not match",
    { patterns: [{ begin: "^> ", while: "^> ", name: "string" }] },
    "> a\n> b\nc",
    "&gt; a/&gt; b/",
  ],
  [
    "puts groups into the names of scopes",
    { patterns: [{ match: "(KEYWORD) (x)", captures: { 2: { name: "${1:/downcase}.$2" } } }] },
    "KEYWORD x",
    "x",
  ],
  [
    "reads a group again by the capture's own rules",
    { patterns: [{ match: "\\((.*)\\)", captures: { 1: { patterns: [keyword] } } }] },
    "key (a key)",
    "key",
  ],
  ["knows the start of the block", { patterns: [{ match: "\\Akey", name: "keyword" }] }, "key key\nkey", "key/"],
  [
    "finds a rule of a nested repository only inside its rule",
    {
      patterns: [
        { patterns: [{ include: "#k" }], repository: { k: { match: "in", name: "keyword" } } },
        { include: "#k" },
      ],
      repository: { k: { match: "out", name: "keyword" } },
    },
    "in out",
    "in out",
  ],
  [
    "leaves out a rule whose includes do not exist",
    { patterns: [{ begin: "a", end: "b", name: "string", patterns: [{ include: "source.missing" }] }] },
    "a key b",
    "",
  ],
  [
    "applies an injection where its selector does",
    {
      patterns: [{ begin: '"', end: '"', name: "meta.quoted" }],
      injections: { "L:meta.quoted": { patterns: [keyword] } },
    },
    'key "key"',
    "key",
  ],
  [
    "survives lists that include each other",
    {
      patterns: [{ include: "#a" }, keyword],
      repository: {
        a: { patterns: [{ include: "#b" }] },
        b: { patterns: [{ include: "#a" }, { include: "$self" }] },
      },
    },
    "key",
    "key",
  ],
  ["survives an endless chain of lists", { patterns: [{ include: "#r0" }, keyword], repository: chain }, "key", "key"],
  [
    "survives a rule that begins without advancing",
    { patterns: [{ begin: "(?=k)", end: "x", patterns: [{ include: "$self" }] }] },
    "key",
    "",
  ],
  [
    "survives invalid rules",
    {
      patterns: [
        null,
        7,
        "x",
        { match: 5 },
        { begin: {}, patterns: 3 },
        { include: "#n" },
        { include: {} },
        { match: "k", captures: { 1: null, x: "y", 99999999: {} } },
        keyword,
      ],
      repository: { n: null },
    },
    "a key",
    "",
  ],
];
for (const [rule, parts, code, spans] of cases)
  test(`a grammar ${rule}`, () => assert.equal(colored(code, parts), spans));

test("a grammar includes others, and the rules that other grammars inject", () => {
  const inner = { name: "inner", scopeName: "source.inner", patterns: [keyword, { include: "$base" }] };
  const injected = {
    name: "injected",
    scopeName: "injected",
    injectTo: ["source.own"],
    injectionSelector: "L:source.own -string",
    patterns: [{ match: "%\\w", name: "variable" }],
  };
  const parts = {
    patterns: [
      { begin: "\\(", end: "\\)", patterns: [{ include: "source.inner" }] },
      { match: "\\d", name: "constant.numeric" },
      { match: "'.*?'", name: "string" },
    ],
  };
  assert.equal(colored("key 1 (key 2) %a", parts, [inner, injected]), "1 key  2 %a");
});

const selectors: readonly (readonly [selector: string, scopes: string, matches: boolean])[] = [
  ["source.js", "source.js", true],
  ["source.js", "source.js.embedded", true],
  ["source.js", "source.json", false],
  ["text meta.tag", "text.html meta.a meta.tag.b", true],
  ["meta.tag text", "text.html meta.tag", false],
  ["L:source -comment", "source.js", true],
  ["source -(comment | string)", "source string.quoted", false],
  ["text, source", "source.js", true],
];
for (const [selector, scopes, wanted] of selectors)
  test(`the selector ${selector} ${wanted ? "applies" : "does not apply"} in ${scopes}`, () =>
    assert.equal(
      parseScopeSelector(selector).some((each) => each.matches(scopes.split(" "))),
      wanted,
    ));
