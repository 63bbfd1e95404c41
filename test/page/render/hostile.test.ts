/** Pages made to break an engine: each is rendered, and soon. */
import type { Nodes, Root } from "mdast";
import { expect, test } from "vitest";
import { withinCpu } from "../../support/machine-time.js";
import { contentOf, planOf, rendererOf, renderPage } from "./render-markdown.js";

const text = (value: string): Nodes => ({ type: "text", value });
const nested = (depth: number, around: (child: Nodes) => Nodes): Root => {
  let node = text("deep");
  for (let i = 0; i < depth; i++) node = around(node);
  return { type: "root", children: [node] } as Root;
};
const quote = (child: Nodes) => ({ type: "blockquote", children: [child] }) as Nodes;
const element =
  (name: string, props: object = {}) =>
  (child: Nodes) =>
    ({ type: "mdxJsxFlowElement", name, attributes: [], children: [child], data: { props } }) as unknown as Nodes;
const list = (child: Nodes) => ({ type: "list", children: [{ type: "listItem", children: [child] }] }) as Nodes;
const property = (child: Nodes) =>
  element("Card", { title: { type: "jsxTree", children: [child] } })(text("")) as Nodes;

const trees: readonly (readonly [name: string, tree: Root])[] = [
  ["50,000 nested quotes", nested(50_000, quote)],
  ["50,000 nested elements", nested(50_000, element("div"))],
  ["50,000 nested components", nested(50_000, element("Accordion", { title: "a" }))],
  ["50,000 nested unknown tags", nested(50_000, element("Nope"))],
  ["50,000 nested lists", nested(50_000, list)],
  ["50 thousand properties in properties", nested(50_000, property)],
  ["500 nested links", nested(500, element("a", { href: "/x" }))],
  [
    "tables at every depth",
    nested(
      130,
      (child) =>
        ({
          type: "table",
          children: [{ type: "tableRow", children: [{ type: "tableCell", children: [child] }] }],
        }) as Nodes,
    ),
  ],
  [
    "20,000 elements side by side",
    { type: "root", children: Array.from({ length: 20_000 }, () => element("div")(text("a"))) } as Root,
  ],
  [
    "20,000 broken links",
    {
      type: "root",
      children: Array.from({ length: 20_000 }, (_, i) => ({ type: "link", url: `/x${i}`, children: [text("a")] })),
    } as unknown as Root,
  ],
  [
    "20,000 headings of one name",
    {
      type: "root",
      children: Array.from({ length: 20_000 }, () => ({ type: "heading", depth: 2, children: [text("a")] })),
    } as Root,
  ],
  [
    "a megabyte of backticks in a title",
    { type: "root", children: [element("Card", { title: "`".repeat(1_000_000) })(text(""))] } as Root,
  ],
  [
    "a megabyte of url( in a style",
    { type: "root", children: [element("div", { style: "url(".repeat(250_000) })(text(""))] } as Root,
  ],
  ...['image-set("', "image-set(", 'image-set("image-set(" '].map(
    (text) =>
      [
        `a megabyte of ${text} in a style`,
        {
          type: "root",
          children: [element("div", { style: text.repeat(1_000_000 / text.length) })({ type: "text", value: "" })],
        } as Root,
      ] as const,
  ),
  [
    "a megabyte of brackets in a colour",
    { type: "root", children: [element("Card", { color: `rgb(${"(".repeat(1_000_000)}` })(text(""))] } as Root,
  ],
  [
    "a megabyte of dots in a link",
    {
      type: "root",
      children: [{ type: "link", url: "../".repeat(300_000), children: [text("a")] }],
    } as unknown as Root,
  ],
  [
    "a megabyte of opened comments in a style",
    { type: "root", children: [element("div", { style: "/*".repeat(500_000) })(text(""))] } as Root,
  ],
  [
    "a megabyte of blanks in a link",
    {
      type: "root",
      children: [{ type: "link", url: `a${" ".repeat(1_000_000)}b`, children: [text("a")] }],
    } as unknown as Root,
  ],
  ["a megabyte of blanks in a text", { type: "root", children: [text(`a${" ".repeat(1_000_000)}b\nc`)] } as Root],
  [
    "a megabyte of commas without blanks in a srcset",
    { type: "root", children: [element("img", { srcset: "a,".repeat(500_000) })(text(""))] } as Root,
  ],
  [
    "many words in a srcset",
    { type: "root", children: [element("img", { srcset: "a b,".repeat(20_000) })(text(""))] } as Root,
  ],
  [
    "a megabyte of commas in a srcset",
    { type: "root", children: [element("img", { srcset: ", ".repeat(500_000) })(text(""))] } as Root,
  ],
  [
    "a megabyte of signs in an id's text",
    { type: "root", children: [element("Accordion", { title: "?-".repeat(500_000) })(text(""))] } as Root,
  ],
];
for (const [name, tree] of trees)
  test(name, async () => {
    const renderer = await rendererOf();
    const page = await withinCpu(3000, () => renderer.render(planOf("a.mdx"), { ...contentOf(""), tree }));
    if (/50,000/.test(name)) {
      expect(page.html).toContain("deep");
      expect(page.diagnostics.map(({ code }) => code)).toContain("NESTING_TOO_DEEP");
    }
  });

test("the missing cells of 500 short rows are not added to a table of 5,000 columns", async () => {
  const row = (cell: string, count: number) => `|${`${cell}|`.repeat(count)}\n`;
  const page = await renderPage(`${row("a", 5000)}${row("-", 5000)}${row("b", 2).repeat(500)}`);
  expect(page.html.match(/<th>a/g)).toHaveLength(5000);
  expect(page.html.match(/<td>b/g)).toHaveLength(1000);
  expect(page.html.length).toBeLessThan(100_000);
  expect(page.diagnostics).toMatchObject([{ code: "TABLE_ROWS_TOO_SHORT", location: { line: 1, column: 1 } }]);

  const usual = await renderPage(`${row("a", 20)}${row("-", 20)}${row("b", 1).repeat(200)}`);
  expect(usual.html.match(/<td>/g)).toHaveLength(4000);
  expect(usual.diagnostics).toEqual([]);
});

test("too deep nesting is reported once, at the first node that is shown as text", async () => {
  const renderer = await rendererOf();
  const content = contentOf(`a\n\n${"> ".repeat(150)}deep`);
  const page = await renderer.render(planOf("a.mdx"), content);
  expect(page.html).toContain("deep");
  expect(page.diagnostics).toMatchObject([
    { code: "NESTING_TOO_DEEP", location: { sourcePath: "a.mdx", line: 3, column: 239 } },
  ]);

  const told = { code: "NESTING_TOO_DEEP", severity: "error", what: "Left out already.", fix: "…" } as const;
  expect((await renderer.render(planOf("a.mdx"), { ...content, diagnostics: [told] })).diagnostics).toEqual([]);
});

test("lone surrogates, unknown nodes and missing fields do not stop rendering", async () => {
  const tree = {
    type: "root",
    children: [
      { type: "heading", depth: 2, children: [text("\ud800")], data: { id: "\ud800" } },
      { type: "link", url: "/\udc00?\ud800#\udfff", children: [] },
      { type: "image", url: "\ud800" },
      { type: "unknown", children: [text("seen")] },
      { type: "table", children: [] },
      { type: "list", children: [] },
      {
        type: "paragraph",
        children: [{ type: "linkReference", identifier: "x", referenceType: "full", children: [text("a")] }],
      },
      { type: "mdxJsxFlowElement", name: "constructor", children: [text("b")] },
      { type: "mdxJsxFlowElement", name: "__proto__", children: [] },
      { type: "mdxJsxFlowElement", name: "Tabs", children: [] },
    ],
  } as unknown as Root;
  const { html } = await (await rendererOf()).render(planOf("a.mdx"), { ...contentOf(""), tree });
  expect(html).toContain("seen");
  expect(html).toContain("[a][x]");
});
