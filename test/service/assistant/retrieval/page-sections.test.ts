import assert from "node:assert/strict";
import { test } from "vitest";
import { markdownOfParts } from "../../../../src/service/assistant/retrieval/open-site-index.js";

const page = [
  "# Title",
  "",
  "> **Agent instructions**: read llms.txt.",
  "",
  "Lead.",
  "",
  "## One",
  "",
  "```sh",
  "# a comment",
  "~~~",
  "## no heading",
  "```",
  "",
  "### `two()` and [three](x.md)",
  "",
  "| a | b |",
  "",
  "## One",
  "",
  "Again.",
].join("\n");

const cases: readonly (readonly [
  rule: string,
  parts: readonly (readonly [heading: string, text?: string])[],
  texts: readonly RegExp[],
])[] = [
  [
    "each heading begins the Markdown of its part, in the order of the page",
    [["Title"], ["One"], ["two() and three"], ["One"]],
    [
      /^# Title\n\nLead\.$/,
      /^## One\n\n```sh\n# a comment\n~~~\n## no heading\n```$/,
      /^### .*\n\n\| a \| b \|$/,
      /^## One\n\nAgain\.$/,
    ],
  ],
  [
    "a heading that is not a section belongs to the section before",
    [["Title"], ["One"], ["One"]],
    [/^# Title/, /^## One[\s\S]*\| a \| b \|$/, /Again/],
  ],
  [
    "a part without a heading has the text of the search",
    [["Title"], ["Folded", "Hidden text."], ["One"]],
    [/^# Title\n\nLead\.$/, /^Hidden text\.$/, /^## One[\s\S]*Again\.$/],
  ],
];
for (const [rule, parts, texts] of cases)
  test(rule, () => {
    const written = markdownOfParts(
      parts.map(([heading, text = ""]) => ["id", heading, text] as const),
      page,
    );
    assert.equal(written.length, texts.length);
    for (const [at, pattern] of texts.entries()) assert.match(written[at]!, pattern);
  });

test("a page without Markdown has the text and the code of the search", () => {
  assert.deepEqual(markdownOfParts([["", "T", "Text.", "code();"]], undefined), ["Text.\n\ncode();"]);
  assert.deepEqual(markdownOfParts([["", "T", "Text."]], ""), ["Text."]);
});
