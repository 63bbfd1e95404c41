/** The names of React that the code of sites can use, rendered to HTML as in the sandbox. */
import assert from "node:assert/strict";
import type { ComponentChild, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { test } from "vitest";
import { componentDefinitions } from "../../../../src/page/components/index.js";
import { __h, prepareElements } from "../../../../src/page/islands/runtime/element.js";
import { componentNames, providedNames, reactNames } from "../../../../src/page/islands/runtime/names.js";
import { createIsland, React, withIsland } from "../../../../src/page/islands/runtime/react.js";
import { createRegistry, createTables, type Provided } from "../../../../src/page/islands/runtime/registry.js";
import { markComponents, Slot } from "../../../../src/page/islands/sandbox/marks.js";

prepareElements();
// biome-ignore lint/suspicious/noExplicitAny: the code of sites has no types.
const R = React as any;
const html = (vnode: ComponentChild): string => renderToString(vnode as VNode);
const html1 = (type: string, props: object, ...children: ComponentChild[]): string =>
  html(__h(type, props as Record<string, unknown>, ...children));

test("the names available without an import are those of React and of our components", () => {
  assert.deepEqual(Object.keys(React).sort(), [...reactNames].sort());
  assert.deepEqual([...componentNames].sort(), [...componentDefinitions.keys()].sort());
  assert.deepEqual(
    ["React", "useState", "Card", "Tree", "GitHub"].filter((name) => !providedNames.includes(name)),
    [],
  );
});

const elements = [
  [
    "numbers of a style are pixels, but not all",
    html1("p", { style: { fontSize: 12, lineHeight: 2, "--n": 3 } }),
    '<p style="font-size:12px;line-height:2;--n:3;"></p>',
  ],
  [
    "true and false are not values of a style",
    html1("p", { style: { color: false, margin: true, top: "0" } }),
    '<p style="top:0;"></p>',
  ],
  [
    "SVG attributes are written in camel case",
    html1("path", { strokeWidth: 2, textAnchor: "end" }),
    '<path stroke-width="2" text-anchor="end"></path>',
  ],
  ["className and htmlFor", html1("label", { className: "a", htmlFor: "b" }), '<label class="a" for="b"></label>'],
  ["a link to download", html1("a", { href: "x", download: true }), '<a href="x" download></a>'],
  ["hints to React are dropped", html1("p", { suppressHydrationWarning: true }), "<p></p>"],
  [
    "a menu has a default",
    html1("select", { defaultValue: "b" }, __h("option", null, "a"), __h("option", { value: "b" }, "B")),
    '<select><option>a</option><option selected value="b">B</option></select>',
  ],
  ["fields have defaults", html1("input", { defaultValue: "x", defaultChecked: true }), '<input value="x" checked/>'],
  [
    "a component that does not exist shows its children",
    html(__h(undefined, { title: "x" }, "a", __h("b", null, "c"))),
    "a<b>c</b>",
  ],
  ["a slot", html(__h(Slot, { n: 2 })), '<x-slot data-n="2"></x-slot>'],
] as const;
for (const [rule, actual, expected] of elements) test(`elements: ${rule}`, () => assert.equal(actual, expected));

test("adjacent texts are joined; other children keep their index", () => {
  const { children } = __h("p", null, "a", 1, null, "b", __h("i", null), "c", false, 2).props as {
    children: unknown[];
  };
  assert.deepEqual(
    children.map((child) => (typeof child === "object" && child ? "i" : child)),
    ["a1b", null, null, null, "i", "c2", null, null],
  );
});

test("form fields get the events of React", () => {
  const handle = (): void => {};
  const names = (type: string, props: Record<string, unknown>) => Object.keys(__h(type, props).props);
  assert.deepEqual(names("input", { onChange: handle, onInput: handle }), ["oninput", "oninputCapture"]);
  assert.deepEqual(names("input", { type: "checkbox", onChange: handle }), ["type", "onChange"]);
  assert.deepEqual(names("select", { onChange: handle, onBlur: handle, onDoubleClick: handle }), [
    "onChange",
    "onfocusout",
    "onDblClick",
  ]);
});

test("memo, forwardRef, default properties, Children and context", () => {
  const Named = Object.assign(({ name }: { name: string }) => __h("b", null, name), { defaultProps: { name: "x" } });
  assert.equal(html(__h(R.memo(Named), null)), "<b>x</b>");
  assert.equal(
    html(
      __h(
        R.forwardRef((_: object, ref: unknown) => String(ref)),
        null,
      ),
    ),
    "null",
  );
  const List = ({ children }: { children: unknown }) =>
    R.Children.map(children, (child: VNode, i: number) => R.cloneElement(child, { className: `n${i}` }));
  assert.equal(
    html(__h(List, null, __h("i", null), null, __h("u", { className: "own" }))),
    '<i class="n0"></i><u class="n1"></u>',
  );
  const Theme = R.createContext("light");
  const Show = () => R.useContext(Theme);
  assert.equal(html(__h(Theme.Provider, { value: "dark" }, __h(Show, null))), "dark");
  assert.equal(html(__h(Show, null)), "light");
});

test("useId counts within its island", () => {
  const Field = () => __h("i", { id: R.useId() });
  const two = [__h(Field, null), __h(Field, null)];
  assert.equal(
    renderToString(withIsland(createIsland("0123456789ab#__i3", 0), two)),
    '<i id="island-012345-i3-0"></i><i id="island-012345-i3-1"></i>',
  );
  assert.match(
    renderToString(withIsland(createIsland("0123456789ab#__i3", 1), __h(Field, null))),
    /"island-012345-i3-1-0"/,
  );
});

test("a module runs once, and gets its imports and the names of the page", () => {
  const provided: Provided = { React, ...React, __h };
  const tables = createTables();
  const registry = createRegistry(provided, tables);
  let runs = 0;
  registry.define(
    "b",
    { react: "react", ui: null },
    { "/x": "x.html" },
    { check: "<svg/>" },
    (names) => (require, _, exports) => {
      runs++;
      exports["react"] = require("react") === names["React"] && names["useState"] === R.useState;
      exports["Absent"] = (require("ui") as Record<string, unknown>)["Button"];
      exports["copied"] = Object.create(Object.getPrototypeOf(require("ui")))["default"];
      exports["esModule"] = (require("ui") as Record<string, unknown>)["__esModule"];
    },
  );
  registry.define("a", { "./b.jsx": "b" }, {}, {}, () => (require, own) => {
    own.exports = { b: require("./b.jsx") };
  });
  const { b } = registry.exportsOf("a") as { b: Record<string, unknown> };
  assert.equal(registry.exportsOf("b"), b);
  assert.equal(runs, 1);
  assert.equal(b["react"], true);
  assert.ok(b["esModule"]);
  assert.equal(html(__h(b["Absent"], null, "shown")), "shown");
  assert.equal(html(__h(b["copied"], null, "shown")), "shown");
  assert.deepEqual(
    [...tables.links, ...tables.icons],
    [
      ["/x", "x.html"],
      ["check", "<svg/>"],
    ],
  );
});

test("a module that throws does so every time, and modules may import each other", () => {
  const registry = createRegistry({});
  let runs = 0;
  registry.define("bad", {}, {}, {}, () => () => {
    runs++;
    throw new Error("no window");
  });
  for (const _ of [1, 2]) assert.throws(() => registry.exportsOf("bad"), /no window/);
  assert.equal(runs, 1);
  assert.throws(() => registry.exportsOf("constructor"), /constructor is missing/);
  registry.define("a", { b: "b" }, {}, {}, () => (require, _, exports) => {
    exports["one"] = 1;
    exports["two"] = (require("b") as Record<string, unknown>)["two"];
  });
  registry.define("b", { a: "a" }, {}, {}, () => (require, _, exports) => {
    exports["two"] = ((require("a") as Record<string, unknown>)["one"] as number) + 1;
  });
  assert.deepEqual(registry.exportsOf("a"), { one: 1, two: 2 });
});

test("our components become marker elements with their properties", () => {
  const marks = markComponents() as Record<string, never>;
  const Name = R.createContext("-");
  const Show = () => R.useContext(Name);
  const { Card, Tree } = marks as Record<string, { File: unknown }>;
  assert.equal(
    html(
      __h(
        Name.Provider,
        { value: "ctx" },
        __h(Card, { title: __h("b", null, __h(Show, null)), cols: 2, onClick: () => {} }, "<body>"),
      ),
    ),
    `<x-use data-name="Card" data-props="{&quot;title&quot;:{&quot;$html&quot;:&quot;&lt;b>ctx&lt;/b>&quot;},&quot;cols&quot;:2}">&lt;body></x-use>`,
  );
  assert.equal(html(__h(Tree!.File, null)), '<x-use data-name="Tree.File" data-props="{}"></x-use>');
  assert.equal(
    html(__h((marks as Record<string, { Repo: unknown }>)["GitHub"]!.Repo, null)),
    '<x-use data-name="GitHub.Repo" data-props="{}"></x-use>',
  );
});
