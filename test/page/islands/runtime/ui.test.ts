/** Our components in live islands have the elements and classes of those in pages. */
import assert from "node:assert/strict";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { test } from "vitest";
import { writeHtml } from "../../../../src/lib/html/write-html.js";
import { messagesFor } from "../../../../src/lib/language/index.js";
import { CodeFrame, calloutIcon, componentDefinitions } from "../../../../src/page/components/index.js";
import { createIcons } from "../../../../src/page/icons/create-icons.js";
import { islandWords } from "../../../../src/page/islands/island.js";
import { __h, prepareElements } from "../../../../src/page/islands/runtime/element.js";
import { uiNames } from "../../../../src/page/islands/runtime/names.js";
import { createTables } from "../../../../src/page/islands/runtime/registry.js";
import { createUi } from "../../../../src/page/islands/runtime/ui.js";

prepareElements();
const messages = messagesFor("en");
const icon = createIcons({ library: "lucide" }).icon({ name: "rocket" }).node!;
const tables = createTables();
tables.icons.set("rocket", writeHtml(icon));
tables.icons.set("callout warning", calloutIcon("warning").value);
const ui = createUi(tables) as Record<string, unknown>;

type Props = Record<string, unknown>;
const live = (name: string, props: Props, ...children: unknown[]): string =>
  renderToString(__h(ui[name], props, ...(children as VNode[])) as VNode);
const text = (value: string) => [{ type: "text", value }];
const ofPage = (name: string, props: Props): string =>
  writeHtml(componentDefinitions.get(name)!.render({ children: [], messages, ...props }));

/** Both writers have their own ways of spaces, quotes and empty attributes. */
const plain = (html: string): string =>
  html
    .replace(/=""/g, "")
    .replace(/\/>/g, ">")
    .replace(/<\/(?:path|rect|img)>/g, "")
    .replace(/<([\w-]+)((?: [\w-]+(?:="[^"]*")?)*)>/g, (_, name: string, attributes: string) => {
      const sorted = (attributes.match(/[\w-]+(?:="[^"]*")?/g) ?? []).sort();
      return `<${[name, ...sorted].join(" ")}>`;
    });
/** In pages, a script adds it. */
const withoutButton = (html: string): string =>
  html.replace(/<button[^>]* class="code-block-copy-button".*?<\/button>/gs, "");
const same = (rule: string, actual: string, expected: string): void =>
  test(`${rule} is the same as in a page`, () => assert.equal(plain(withoutButton(actual)), plain(expected)));

const link = { href: "guides/a.html", external: false };
same(
  "a card",
  live("Card", { title: "T", icon: "rocket" }, "text"),
  ofPage("Card", { title: text("T"), icon, children: text("text") }),
);
same(
  "a card that is a link",
  live("Card", { title: "T", href: "guides/a.html", horizontal: true, cta: "Go", img: "a.png" }),
  ofPage("Card", { title: text("T"), href: link, horizontal: true, cta: text("Go"), img: { src: "a.png" } }),
);
same(
  "a card that leads to another host",
  live("Card", { title: "T", href: "https://example.com/", className: "x" }),
  ofPage("Card", { title: text("T"), href: { href: "https://example.com/", external: true }, className: "x" }),
);
same(
  "a card with a control",
  live("Card", { title: "T", href: "guides/a.html" }, __h("button", null, "b")),
  ofPage("Card", {
    title: text("T"),
    href: link,
    children: [{ type: "element", tagName: "button", properties: {}, children: text("b") }],
  }),
);
same(
  "a card with the colours of a callout",
  live("Card", { title: "T", type: "Caution" }),
  ofPage("Card", { title: text("T"), type: "Caution" }),
);
same(
  "a disabled card",
  live("Card", { title: "T", href: "x", disabled: true }),
  ofPage("Card", { title: text("T"), href: link, disabled: true }),
);
same("a grid", live("Columns", { cols: "9" }, "c"), ofPage("Columns", { cols: 9, children: text("c") }));
same("a grid of cards", live("CardGroup", {}, "c"), ofPage("CardGroup", { children: text("c") }));
same("a column", live("Column", { className: "x" }, "c"), ofPage("Column", { className: "x", children: text("c") }));
same(
  "a badge",
  live("Badge", { color: "Green", size: "sm", shape: "pill", icon: "rocket", stroke: true }, "new"),
  ofPage("Badge", { color: "Green", size: "sm", shape: "pill", icon, stroke: true, children: text("new") }),
);
same(
  "a badge that is a link",
  live("Badge", { intent: "danger", href: "guides/a.html" }, "b"),
  ofPage("Badge", { intent: "danger", href: link, children: text("b") }),
);
same("an icon", live("Icon", { icon: "rocket" }), ofPage("Icon", { icon }));
same(
  "an icon of a size",
  live("Icon", { icon: "rocket", size: 24, className: "x" }),
  ofPage("Icon", { icon, size: 24, className: "x" }),
);
same(
  "an expandable",
  live("Expandable", { title: "fields", defaultOpen: true }, "c"),
  ofPage("Expandable", { title: text("fields"), defaultOpen: true, children: text("c") }),
);
same(
  "code",
  live("CodeBlock", { title: "a.js", language: "JavaScript", lines: true }, "\n  one\ntwo\n"),
  writeHtml(
    CodeFrame({
      title: "a.js",
      language: "JavaScript",
      html: '<span class="line">  one</span>\n<span class="line">two</span>',
      lineCount: 2,
      lineNumbers: true,
      messages,
    }),
  ),
);
const frame = (language: string) => [CodeFrame({ language, html: "x", lineCount: 1, messages })];
same(
  "a group of code",
  live(
    "CodeGroup",
    {},
    __h(ui["CodeBlock"], { language: "JSON" }, "x"),
    __h(ui["CodeBlock"], { language: "YAML" }, "x"),
  ),
  ofPage("CodeGroup", {
    items: ["JSON", "YAML"].map((language) => ({ name: "code", props: { language }, children: frame(language) })),
  }),
);

for (const language of ["fr", "ja"]) {
  const words = islandWords(language)!;
  const spoken = createUi({ ...tables, words: new Map(Object.entries(words)) }) as Record<string, unknown>;
  const said = (name: string, props: Props, ...children: unknown[]): string =>
    renderToString(__h(spoken[name], props, ...(children as VNode[])) as VNode);
  const own = { children: text("c"), messages: messagesFor(language) };
  same(
    `an expandable in ${language}`,
    said("Expandable", {}, "c") + said("Expandable", { title: "t" }, "c"),
    ofPage("Expandable", own) + ofPage("Expandable", { ...own, title: text("t") }),
  );
  for (const props of [{}, { language: "YAML" }] as { language?: string }[])
    same(
      `code in ${language} ${props.language ?? ""}`,
      said("CodeBlock", props, "x"),
      writeHtml(CodeFrame({ ...props, html: "x", lineCount: 1, messages: own.messages })),
    );
}
test("English needs no translated texts", () =>
  assert.deepEqual([islandWords("en"), islandWords("en-GB")], [undefined, undefined]));

test("an icon without an outline shows nothing, and a URL shows an image", () => {
  assert.equal(live("Icon", { icon: "unknown" }), "");
  assert.equal(
    plain(live("Icon", { icon: "/logo.svg" })),
    plain('<img class="icon" alt="" width="24" height="24" src="/logo.svg">'),
  );
});

test("each name has a component", () => assert.deepEqual(Object.keys(ui).sort(), [...uiNames].sort()));
