/** HTML parsers move misplaced elements: the tree that they read must be the one that was written. */
import type { ElementContent } from "hast";
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { expect, test } from "vitest";
import { raw } from "../../../src/lib/jsx/raw.js";
import type { ComponentItem } from "../../../src/page/components/definition.js";
import { componentDefinitions } from "../../../src/page/components/index.js";
import { element, htmlOf, item, paragraph, render, text } from "./render.js";

const blocks = (): ElementContent[] => [
  paragraph("Text with ", element("a", "a link"), " and ", element("code", "code"), "."),
  element("ul", element("li", "one"), element("li", "two")),
  element("h3", "Heading"),
  element("pre", element("code", "a\nb")),
  element("details", element("summary", "More"), "text"),
  element("button", "Press"),
  element("img"),
];
const words = (): ElementContent[] => [text("word "), element("a", "link"), element("em", "mark")];
/** What JSX in a property may hold, wherever it is put. */
const awkward = (): ElementContent[] => [element("div", paragraph("A"), element("a", "b")), raw("<svg></svg>")];

const link = { href: "a.html", external: true };
const kinds: Readonly<Record<string, unknown>> = {
  text: "words",
  number: 3,
  boolean: true,
  icon: raw("<svg></svg>"),
  href: link,
  image: { src: "a.png", width: 4, height: 3 },
  color: "#0af",
  list: ["copy", "cursor"],
  value: { light: "#fff", dark: "#000" },
};

function propsOf(name: string, label: () => ElementContent[]): Record<string, unknown> {
  const props = componentDefinitions.get(name)?.props ?? {};
  const values = Object.entries(props).map(([key, kind]) => [
    key,
    kind === "label" || kind === "content" ? label() : kinds[kind],
  ]);
  return { ...Object.fromEntries(values), hidden: false, disabled: false, repo: "a/b", for: "humans", id: "x" };
}

function contentOf(name: string, label: () => ElementContent[]): (ElementContent[] | ComponentItem)[] {
  const definition = componentDefinitions.get(name)!;
  if (definition.items)
    return [0, 1].map((n) => ({
      ...item(definition.items![0]!, {}, ...blocks()),
      props: propsOf(definition.items![0]!, label),
      id: `i${n}`,
    }));
  if (name === "Tree.Folder") return [render("Tree.File", { name: "a" })];
  return [definition.inline ? words() : blocks()];
}

/** Tags in document order, each with its depth; an SVG counts as one. */
function outlineOf(nodes: readonly ElementContent[], depth = 0): string[] {
  return nodes.flatMap((node) => {
    if (node.type === "raw") return parsedOutlineOf(parseFragment(node.value).childNodes, depth);
    if (node.type !== "element") return [];
    if (node.tagName === "svg") return [`${depth} svg`];
    return [`${depth} ${node.tagName}`, ...outlineOf(node.children, depth + 1)];
  });
}

function parsedOutlineOf(nodes: readonly Tree.ChildNode[], depth = 0): string[] {
  return nodes.flatMap((node) => {
    if (!("tagName" in node)) return [];
    if (node.tagName === "svg") return [`${depth} svg`];
    return [`${depth} ${node.tagName}`, ...parsedOutlineOf(node.childNodes, depth + 1)];
  });
}

const listItems = new Set(["Tree.Folder", "Tree.File"]);
for (const name of componentDefinitions.keys())
  for (const [content, label] of [
    ["plain words", () => [text("words")]],
    ["blocks and links", awkward],
  ] as const)
    test(`${name} is read as written with ${content} in its properties`, () => {
      const rendered = render(name, propsOf(name, label), ...contentOf(name, label));
      const nodes = listItems.has(name) ? [element("ul", rendered)] : rendered;
      const around = componentDefinitions.get(name)?.inline ? [paragraph(...nodes)] : nodes;
      const parsed = parsedOutlineOf(parseFragment(htmlOf(around)).childNodes);
      expect(parsed).toEqual(outlineOf(around));
      expect(misplaced(around)).toEqual([]);
    });

const interactive = new Set(["a", "button", "details", "summary", "input", "select", "textarea", "iframe"]);
const blockTags = new Set([
  "div",
  "p",
  "ul",
  "ol",
  "li",
  "figure",
  "section",
  "h1",
  "h2",
  "h3",
  "h4",
  "pre",
  "details",
  "table",
]);

/** Nesting that parsers accept and the standard forbids: controls in controls, blocks in phrasing elements. */
function misplaced(nodes: readonly ElementContent[], around: readonly string[] = []): string[] {
  return nodes.flatMap((node) => {
    if (node.type !== "element") return [];
    const { tagName } = node;
    const control = around.find((each) => each === "a" || each === "button" || each === "summary");
    const phrasing = around.find((each) => /^(?:p|span|button|summary|h\d)$/.test(each));
    const wrong = (control && interactive.has(tagName)) || (phrasing && blockTags.has(tagName));
    const below = misplaced(node.children, [...around, tagName]);
    return wrong ? [`${tagName} in ${control ?? phrasing}`, ...below] : below;
  });
}
