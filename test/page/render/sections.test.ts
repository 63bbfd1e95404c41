/** The text of a page by its parts, as the search gets it. */
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { raw } from "../../../src/lib/jsx/raw.js";
import type { CodePort } from "../../../src/page/render/index.js";
import { contentOf, plainPorts, planOf, rendererOf } from "./render-markdown.js";

const pre: CodePort["block"] = (code) => ({
  node: { type: "element", tagName: "pre", properties: {}, children: [raw(code)] },
  info: {},
  diagnostics: [],
});
const render = async (source: string, searchable: boolean) => {
  const renderer = await rendererOf({}, { code: { ...plainPorts.code, block: pre } });
  return renderer.render({ ...planOf("a.mdx"), searchable }, contentOf(source));
};
const sections = async (source: string) => (await render(source, true)).sections;
/** `id: heading | text | code` of each part. */
const shown = async (source: string) =>
  (await sections(source)).map(({ id, heading, text, code }) =>
    [`${id}: ${heading}`, text, ...(code === "" ? [] : [code])].join(" | "),
  );

const cases: readonly (readonly [rule: string, source: string, parts: readonly string[]])[] = [
  ["the text before the first heading is the first section", "Hello *you*.\n\nMore.", [": | Hello you. More."]],
  ["each heading begins a part", "A\n## B\nC\n### D\nE", [": | A", "b: B | C", "d: D | E"]],
  ["headings below the outline belong to the text", "## A\n##### B\nC", [": | ", "a: A | B C"]],
  [
    "words of neighbouring blocks are separated",
    "- one\n- two\n\n| a | b |\n| - | - |\n| c | d |",
    [": | one two a b c d"],
  ],
  ["words of one sentence are not separated", "a**b**c `d`", [": | abc d"]],
  ["code is kept separately", "## A\n\n```js\nlet x = 1\n```\ntext", [": | ", "a: A | text | let x = 1"]],
  [
    "an accordion is a part, and what follows it is not",
    'X\n<Accordion title="How?">\nSo.\n</Accordion>\n\nY',
    [": | X Y", "how: How? | So."],
  ],
  [
    "a field is a part",
    '<ParamField query="limit" type="number">\nHow many.\n</ParamField>',
    [": | ", "param-limit: limit | number query How many."],
  ],
  [
    "the subject of the page comes first",
    'A\n\n<ApiHeader method="get" path="/trees/{id}/fruit" base="https://x.y" />',
    [": | GET /trees/{id}/fruit A"],
  ],
  [
    "of samples that say the same in other languages the first counts",
    "<RequestExample telling={1} dropdown>\n\n```bash cURL\ncurl x\n```\n\n```js JavaScript\nfetch(x)\n```\n\n</RequestExample>",
    [": |  | curl x"],
  ],
  [
    "an update is a part with the headings in it",
    '<Update label="May">\n## Fixes\nOne\n</Update>',
    [": | ", "may: May | Fixes One"],
  ],
  [
    "panels of tabs belong to the part around, without the buttons",
    '## A\n<Tabs><Tab title="T">\nB\n</Tab></Tabs>',
    [": | ", "a: A | T B"],
  ],
  ["an image gives its alternative text", "![A boat](/boat.png)", [": | A boat"]],
  ["an SVG gives no text", "a <svg><text>x</text></svg> b", [": | a b"]],
];
describe("the sections of a page", () => {
  for (const [rule, source, parts] of cases)
    test(rule, async () =>
      assert.deepEqual(
        await shown(source),
        parts.map((part) => part.replace(/^: \|/, ":  |")),
      ),
    );

  test("the search finds code in the side column", async () => {
    const [first] = await sections("Hi\n<RequestExample>\n```bash\ncurl x\n```\n</RequestExample>");
    assert.match(first?.code ?? "", /curl x/);
  });

  test("long words and long code are shortened, so that data does not fill the index", async () => {
    const base64 = "QUJDREVG".repeat(1500);
    const before = JSON.stringify(await sections("Text.\n\n## A\n\nMore."));
    const after = JSON.stringify(
      await sections(`Text.\n\n## A\n\n\`${base64}\` More.\n\n\`\`\`\n${"let value = 1;\n".repeat(10_000)}\n\`\`\``),
    );
    assert.ok(after.length - before.length < 5000, `${after.length - before.length}`);
  });

  test("only a limited part of a very long page is indexed", async () => {
    const parts = await sections(
      Array.from({ length: 900 }, (_, i) => `## H${i}\n\n${"words and words ".repeat(30)}`).join("\n\n"),
    );
    assert.ok(parts.length <= 400);
    assert.ok(JSON.stringify(parts).length < 200_000);
  });

  test("a page that is hidden from the search has no sections", async () => {
    assert.deepEqual((await render("## A", false)).sections, []);
  });
});
