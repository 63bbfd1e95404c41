import assert from "node:assert/strict";
import type { Element, ElementContent, Nodes, Properties, Root } from "hast";
import { parseFragment, serialize } from "parse5";
import { html, svg } from "property-information";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { test } from "vitest";
import { writeHtml } from "../../../src/lib/html/write-html.js";
import { raw } from "../../../src/lib/jsx/raw.js";

const element = (tagName: string, properties: Properties = {}, ...children: (ElementContent | string)[]): Element => ({
  type: "element",
  tagName,
  properties,
  children: children.map((child) => (typeof child === "string" ? { type: "text", value: child } : child)),
});

const reference = unified().use(rehypeStringify, { allowDangerousHtml: true }).freeze();
/** The tree that a parser reads, in one spelling. */
const read = (text: string): string => serialize(parseFragment(text));

/** Our text, read by an HTML parser, is the tree that the reference writer's text is. */
function assertLikeReference(...children: ElementContent[]): void {
  const root: Root = { type: "root", children };
  assert.equal(read(writeHtml(root)), read(reference.stringify(root)));
}

const written: readonly (readonly [what: string, tree: Nodes, html: string])[] = [
  ["text", { type: "text", value: 'a < b && c > "d"' }, 'a &lt; b &amp;&amp; c > "d"'],
  ["an element", element("p", { className: ["a", "b"], id: "x" }, "text"), '<p class="a b" id="x">text</p>'],
  ["a void element", element("img", { alt: "", src: "a.png" }), '<img alt="" src="a.png">'],
  ["an empty element", element("span"), "<span></span>"],
  ["raw HTML", element("b", {}, raw("<i>&amp;</i>")), "<b><i>&amp;</i></b>"],
  ["code of a script", element("script", {}, "if (a < b && c) {}"), "<script>if (a < b && c) {}</script>"],
  ["a value in quotes", element("a", { title: `"<&'>` }, "x"), `<a title="&quot;&lt;&amp;'>">x</a>`],
  [
    "data and aria attributes",
    element("i", { dataFooBar: 1, ariaLabel: "x" }),
    '<i data-foo-bar="1" aria-label="x"></i>',
  ],
  ["an unknown attribute", element("x-y", { "@click": "go" }), '<x-y @click="go"></x-y>'],
  ["a list with commas", element("input", { accept: ["a", "b"] }), '<input accept="a, b">'],
  [
    "a flag",
    element("input", { disabled: true, checked: false, hidden: "until-found" }),
    '<input disabled hidden="until-found">',
  ],
  ["missing values", element("i", { id: undefined, dataA: null, dataB: Number.NaN }), "<i></i>"],
  [
    "a drawing",
    element("svg", { viewBox: "0 0 1 1" }, element("path", { strokeWidth: "2" })),
    '<svg viewBox="0 0 1 1"><path stroke-width="2"></path></svg>',
  ],
];
for (const [what, tree, text] of written)
  test(`writes ${what}`, () => {
    assert.equal(writeHtml(tree), text);
  });

test("a name that would become several attributes is left out", () => {
  for (const name of ["a b", 'a"b', "a'b", "a>b", "a<b", "a/b", "a=b", "a\tb", "a\0b", ""])
    assert.equal(writeHtml(element("i", { [name]: "x", id: "y" })), '<i id="y"></i>');
});

test("every attribute that HTML and SVG know is written as the reference writes it", () => {
  const values = [true, false, "", "x", 0, 1, Number.NaN, ["a", "b"], `a "quoted" <b> & 'c' \`d\` &amp;`, "\n"];
  for (const { property, attribute } of Object.values(html.property))
    for (const value of [...values, attribute]) assertLikeReference(element("div", { [property]: value }));
  for (const { property, attribute } of Object.values(svg.property))
    for (const value of [...values, attribute])
      assertLikeReference(element("svg", {}, element("g", { [property]: value })));
});

test("text is written as the reference writes it, in every position", () => {
  const texts = [
    "a & b",
    "&amp;",
    "&lt",
    "<b>x</b>",
    "</p>",
    "<!-- x -->",
    "]]>",
    "\u00a0",
    "a\r\nb",
    "&notit;",
    "\ud83d\ude00",
  ];
  for (const text of texts) {
    assertLikeReference(element("p", {}, text), element("td", {}, text));
    assertLikeReference(
      element("svg", {}, element("title", {}, text), element("foreignObject", {}, element("p", {}, text))),
    );
    assertLikeReference(element("textarea", {}, text), element("pre", {}, element("code", {}, text)));
  }
});

test("HTML inside a drawing has HTML's attributes again", () => {
  const inner = element("input", { className: ["a"], readOnly: true });
  assertLikeReference(element("svg", {}, element("foreignObject", { width: 10 }, element("div", {}, inner))));
});
