/** The properties that a component receives, by the kinds that its definition names. */
import type { ElementContent } from "hast";
import { describe, expect, test } from "vitest";
import type { ComponentDefinition, PropKind } from "../../../src/page/components/definition.js";
import type { PropValue } from "../../../src/page/content/page-content.js";
import { contentOf, planOf, rendererOf, renderPage, type TestSite } from "./render-markdown.js";

type Received = Record<string, unknown> & { children: ElementContent[]; items?: { name: string }[] };

/** A component that keeps what it receives. */
function probe(definition: Partial<ComponentDefinition> = {}) {
  const received: Received[] = [];
  const component: ComponentDefinition = {
    name: "Probe",
    props: {},
    render: (props: Received) => {
      received.push(props);
      return { type: "element", tagName: "div", properties: { id: props["id"] as string }, children: props.children };
    },
    ...definition,
  };
  return { component, received };
}

const text = (value: string) => ({ type: "text", value });
const code = (value: string) => ({ type: "element", tagName: "code", properties: {}, children: [text(value)] });
const tree = (children: unknown[]): PropValue => ({ type: "jsxTree", children }) as PropValue;

/** The property `value` of a probe, as it arrives. */
async function arrives(kind: PropKind, value: PropValue, site: TestSite = {}): Promise<unknown> {
  const { component, received } = probe({ props: { value: kind } });
  const content = contentOf("<Probe />");
  Object.assign(content.tree.children[0]!, { data: { props: { value } } });
  await (await rendererOf({ ...site, components: [component] })).render(planOf("guides/install.mdx"), content);
  expect(Object.hasOwn(received[0]!, "value")).toBe(received[0]!["value"] !== undefined);
  return received[0]!["value"];
}

const rows: readonly (readonly [rule: string, kind: PropKind, written: PropValue, received: unknown])[] = [
  ["text is text", "text", "a *b*", "a *b*"],
  ["a number is written out", "text", 1.5, "1.5"],
  ["JSX is its text", "text", tree([{ type: "strong", children: [text("a")] }, text(" b")]), "a b"],
  ["an object is not text", "text", { a: 1 }, undefined],
  ["true is not text", "text", true, undefined],
  ["NaN is not text", "text", Number.NaN, undefined],
  ["a number is a number", "number", 2, 2],
  ["digits are a number", "number", " 2 ", 2],
  ["a word is not a number", "number", "two", undefined],
  ["an empty value is not a number", "number", "", undefined],
  ["infinity is not a number", "number", "Infinity", undefined],
  ["a bare attribute is true", "boolean", true, true],
  ["any case of true is", "boolean", "True", true],
  ["false is false", "boolean", "false", false],
  ["another word is neither", "boolean", "maybe", undefined],
  ["a string is inline Markdown", "content", "a `b`", [text("a "), code("b")]],
  ["plain words need no parser", "content", "a b_c.", [text("a b_c.")]],
  ["JSX is rendered", "content", tree([{ type: "inlineCode", value: "b" }]), [code("b")]],
  ["a list is joined", "content", ["a", tree([text("b")]), 3], [text("a"), text("b"), text("3")]],
  ["an object is not content", "content", { a: 1 }, undefined],
  ["a label is not Markdown", "label", "Array<string> *x*", [text("Array<string> *x*")]],
  ["but for code", "label", "the `a` of ``b``", [text("the "), code("a"), text(" of "), code("b")]],
  ["an icon is rendered", "icon", "rocket", { type: "raw", value: '<svg data-icon="rocket"></svg>' }],
  [
    "JSX is used as an icon unchanged",
    "icon",
    tree([text("\n"), { type: "inlineCode", value: "b" }, text(" ")]),
    code("b"),
  ],
  ["an empty icon is none", "icon", " ", undefined],
  ["a path of the site is a link", "href", "/guides/install#a", { href: "#a", external: false }],
  ["another site is external", "href", "https://b.c", { href: "https://b.c", external: true }],
  ["code is not a link", "href", "javascript:x", undefined],
  ["an object is not a link", "href", { a: 1 }, undefined],
  ["a picture is resolved", "image", "/a.png", { src: "../a.png" }],
  ["code is not a picture", "image", "javascript:x", undefined],
  ["a hex colour is a colour", "color", "#0aF", "#0aF"],
  ["a name is a colour", "color", "rebeccapurple", "rebeccapurple"],
  ["a function is a colour", "color", "rgb(0 0 0 / 50%)", "rgb(0 0 0 / 50%)"],
  ["six digits are a colour", "color", "16A34A", "#16A34A"],
  ["what ends a declaration is none", "color", "red;background:url(x)", undefined],
  ["what ends an attribute is none", "color", 'red" onload="x', undefined],
  ["an address is none", "color", "url(javascript:x)", undefined],
  ["an open bracket is none", "color", "rgb(0 0 0))", undefined],
  ["one string is a list of one", "list", "a", ["a"]],
  ["a list is a list of texts", "list", ["a", 1, { a: 1 }, ""], ["a", "1"]],
  ["an empty value is not a list", "list", "", undefined],
  ["data is data", "value", { a: [1, "b", { c: null }] }, { a: [1, "b", { c: null }] }],
  ["JSX is left out of data", "value", { a: tree([]), b: [tree([])] }, { b: [null] }],
  ["null is absent", "value", null, undefined],
  ["false is data", "value", false, false],
];
describe("properties", () => {
  for (const [rule, kind, written, received] of rows)
    test(`${kind}: ${rule}`, async () =>
      expect(await arrives(kind, written, { staticFiles: ["a.png"] })).toEqual(received));

  test("an icon that is a URL is shown as a picture", async () =>
    expect(await arrives("icon", "/a.png", { staticFiles: ["a.png"] })).toMatchObject({
      tagName: "img",
      properties: { src: "../a.png", alt: "" },
    }));

  test("a component receives class and className as one property, and others only if its definition names them", async () => {
    const { component, received } = probe();
    await renderPage('<Probe className="a" class="b" constructor="c" other="d" />', { components: [component] });
    const { messages: _, ...rest } = received[0]!;
    expect(rest).toEqual({ className: "a b", children: [] });
  });

  test("properties of Object.prototype do not count as written", async () => {
    const { component, received } = probe({
      props: { ["constructor"]: "text", ["toString"]: "text" } as Record<string, "text">,
    });
    await renderPage("<Probe />", { components: [component] });
    expect(Object.keys(received[0]!)).toEqual(["children", "messages"]);
  });
});

describe("items", () => {
  const item: ComponentDefinition = {
    name: "Item",
    props: { title: "label" },
    id: { from: ["title"] },
    render: () => ({ type: "text", value: "alone" }),
  };
  const received = async (source: string, items = ["Item", "code"]) => {
    const list = probe({ items });
    await renderPage(source, { components: [list.component, item] });
    return list.received[0]!;
  };

  test("items are direct children, in order, with their properties and ids prepared", async () => {
    const { items, children } = await received(
      '<Probe>\nb\n\n<Item title="A">a</Item>\n<Item title="A" className="c" />\n</Probe>',
    );
    expect(items).toEqual([
      { name: "Item", props: { title: [text("A")] }, id: "a", children: [text("a")] },
      { name: "Item", props: { title: [text("A")], className: "c" }, id: "a-2", children: [] },
    ]);
    expect(children).toMatchObject([{ tagName: "p", children: [text("b")] }]);
  });
  test("content between and after items stays in its place", async () => {
    const source = '<Steps>\na\n<Step title="b">c</Step>\n\nd\n\n<Step title="e">f</Step>\n\ng\n</Steps>\n\nh';
    const { html } = await renderPage(source);
    expect(html.replace(/<[^>]*>|\s/g, "")).toBe("abcdefgh");
    expect(html).toMatch(/<\/ol>\s*<p>g<\/p>/);
  });
  test("content between two tabs comes before them, and content after them comes after", async () => {
    const { html } = await renderPage('<Tabs>\n<Tab title="b">c</Tab>\n\nd\n\n<Tab title="e">f</Tab>\n\ng\n</Tabs>');
    expect(html).toMatch(/^<p>d<\/p>\s*<div class="tabs".*<\/div>\s*<p>g<\/p>\s*$/s);
  });
  test("items are found in fragments and in the paragraphs that Markdown makes from a line", async () => {
    const { items } = await received("<Probe><Item /> <Item /><>\n<Item />\n</></Probe>");
    expect(items?.length).toBe(3);
  });
  test("items can be fences, with their title, language and icon", async () => {
    const { items } = await received("<Probe>\n```js a.js\nx\n```\n\n```\ny\n```\n</Probe>");
    expect(items).toMatchObject([
      { name: "code", props: { title: "a.js", language: "js" } },
      { name: "code", props: { title: undefined } },
    ]);
  });
  test("items outside their parent are rendered on their own", async () => {
    const list = probe({ items: ["Item"] });
    const { html } = await renderPage("<Probe>\n<div>\n<Item />\n</div>\n</Probe>", {
      components: [list.component, item],
    });
    expect(list.received[0]!.items).toEqual([]);
    expect(html).toContain("alone");
  });
  test("items for agents are left out", async () => {
    const { items } = await received('<Probe>\n<Visibility for="agents">\n<Item />\n</Visibility>\n</Probe>', [
      "Item",
      "Visibility",
    ]);
    expect(items).toEqual([]);
  });
});

describe("anchors", () => {
  const id = async (definition: Partial<ComponentDefinition>, source: string) => {
    const { component, received } = probe(definition);
    await renderPage(source, { components: [component] });
    return received.map((props) => props["id"]);
  };
  test("an anchor comes from the first property that is set", async () =>
    expect(await id({ id: { from: ["a", "b"] } }, '<Probe b="What\'s New. Really?" />')).toEqual([
      "what’s-new-really",
    ]));
  test("an anchor begins with the prefix of its component", async () =>
    expect(await id({ id: { from: ["a"], prefix: "param-", nested: true } }, '<Probe a="user_id" />')).toEqual([
      "param-user-id",
    ]));
  test("an anchor is the id that the author wrote, if there is one", async () =>
    expect(await id({ id: { from: ["a"] } }, '<Probe a="b" id="Mine" /><Probe id="Mine" />')).toEqual([
      "Mine",
      "Mine-2",
    ]));
  test("a component without a title has no anchor", async () =>
    expect(await id({ id: { from: ["a"] } }, '<Probe a="?" /><Probe a=" " /><Probe />')).toEqual([
      undefined,
      undefined,
      undefined,
    ]));
  test("JSX has an anchor too", async () => {
    const { component, received } = probe({ id: { from: ["a"] } });
    const content = contentOf("<Probe />");
    Object.assign(content.tree.children[0]!, {
      data: { props: { a: tree([{ type: "strong", children: [text("B c")] }]) } },
    });
    await (await rendererOf({ components: [component] })).render(planOf("a.mdx"), content);
    expect(received[0]!["id"]).toBe("b-c");
  });
});

describe("position in the page", () => {
  const block = probe().component;
  const inline: ComponentDefinition = {
    ...block,
    inline: true,
    render: ({ children }) => ({ type: "element", tagName: "span", properties: {}, children }),
  };
  const html = async (definition: ComponentDefinition, source: string) =>
    (await renderPage(source, { components: [definition] })).html;

  test("a block component that is alone in a paragraph replaces it", async () =>
    expect(await html(block, "<Probe>a</Probe>")).toBe("<div>a</div>"));
  test("a block component in a sentence splits the paragraph", async () =>
    expect(await html(block, "a <Probe>b</Probe> c")).toBe("<p>a </p>\n<div>b</div>\n<p> c</p>"));
  test("an inline component stays in its paragraph", async () =>
    expect(await html(inline, "<Probe>a</Probe> <Probe>b</Probe>")).toBe("<p><span>a</span> <span>b</span></p>"));
  test("a block component in a list item has no paragraph around it", async () =>
    expect(await html(block, "- <Probe>a</Probe>")).toBe("<ul>\n<li>\n<div>a</div>\n</li>\n</ul>"));
  test("a component in a heading or a cell stays there", async () =>
    expect(await html(inline, "## a <Probe>b</Probe>")).toContain('<h2 id="a-b">a <span>b</span>'));
});
