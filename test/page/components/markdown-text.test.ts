import assert from "node:assert/strict";
import type { ElementContent } from "hast";
import { test } from "vitest";
import { markdownOf } from "../../../src/page/components/shared/markdown-text.js";
import { renderPage } from "../render/render-markdown.js";
import { element, paragraph, text } from "./render.js";

const list = (name: "ul" | "ol", ...items: (string | ElementContent)[][]) =>
  element(name, ...items.map((item) => element("li", ...item)));

const cases: readonly (readonly [string, readonly ElementContent[], string])[] = [
  // markdownOf …                                   nodes, Markdown
  ["keeps paragraphs apart", [paragraph("One"), text("\n"), paragraph("Two")], "One\n\nTwo"],
  [
    "marks emphasis and code",
    [paragraph(element("strong", "a"), " ", element("em", "b"), " ", element("code", "c"))],
    "**a** *b* `c`",
  ],
  ["quotes code that holds a backtick", [paragraph(element("code", "a`b"))], "``a`b``"],
  ["writes links with their address", [paragraph(element("a", "there"))], "[there](#)"],
  ["marks headings", [element("h3", "Title")], "### Title"],
  ["lists with dashes", [list("ul", ["a"], ["b"])], "- a\n- b"],
  ["numbers lists", [list("ol", ["a"], ["b"])], "1. a\n2. b"],
  ["indents a list in a list", [list("ul", ["a", list("ol", ["b"], ["c"])], ["d"])], "- a\n  1. b\n  2. c\n- d"],
  ["fences code", [element("pre", element("code", "a\nb\n"))], "```\na\nb\n```"],
  ["fences a fence with a longer one", [element("pre", element("code", "```"))], "````\n```\n````"],
  ["quotes quotes", [element("blockquote", paragraph("a"), paragraph("b"))], "> a\n>\n> b"],
  [
    "draws tables",
    [
      element(
        "table",
        element("thead", element("tr", element("th", "A"), element("th", "B"))),
        element("tbody", element("tr", element("td", "1"), element("td", "2"))),
      ),
    ],
    "| A | B |\n| --- | --- |\n| 1 | 2 |",
  ],
  ["leaves out controls", [element("div", element("button", "Copy"), paragraph("a"))], "a"],
];
for (const [rule, nodes, markdown] of cases)
  test(`markdownOf ${rule}`, () => assert.equal(markdownOf(nodes), markdown));

test("a prompt copies its Markdown, including the code of its blocks", async () => {
  const { html } = await renderPage('<Prompt description="Do">\nRead **this**:\n\n- one\n- two\n</Prompt>');
  assert.match(html, /data-copy="Read \*\*this\*\*:\n\n- one\n- two"/);
});
