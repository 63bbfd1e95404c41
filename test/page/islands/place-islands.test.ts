/** The output of a JavaScript engine becomes part of the page: untrusted HTML is handled like the page's own tags. */
import assert from "node:assert/strict";
import { expect, test } from "vitest";
import type { IslandAnswer, IslandReply, IslandRoot } from "../../../src/page/islands/island.js";
import { placeIslands } from "../../../src/page/islands/place-islands.js";
import { readPage } from "../content/read-page.js";
import { planOf, rendererOf } from "../render/render-markdown.js";

const hook = "export const C = ({ children }) => { const [a] = useState(0); return <b/> }\n\n";

/** The page `guides/a.mdx` with these answers. */
async function show(source: string, answers: readonly IslandAnswer[], reply: Partial<IslandReply> = {}) {
  const sourcePath = "guides/a.mdx";
  const content = await readPage(hook + source, { sourcePath });
  const placed = await placeIslands(content, sourcePath, {
    ask: async () => ({ answers, scripts: [], faults: [], ...reply }),
    runtime: async (ui) => [{ outputPath: `_offprint/islands${ui ? "-ui" : ""}.js`, text: "runtime" }],
  });
  const renderer = await rendererOf({ staticFiles: ["images/a.png"] });
  const page = await renderer.render({ ...planOf(sourcePath), searchable: true }, placed);
  return { ...page, placed, codes: [...placed.diagnostics, ...page.diagnostics].map(({ code }) => code) };
}
const made = (html: string, changes: object = {}): IslandAnswer =>
  ({ html, live: false, slots: [0], ui: false, ...changes }) as IslandAnswer;
const live = (html: string, changes: object = {}) =>
  made(html, { live: true, island: "0123456789ab#__i0", ...changes });

test("a static island is plain HTML, with the components and the content of the page in place", async () => {
  const { html, scripts } = await show("<C>\n**x**\n</C>", [
    made(
      `<section class="a"><x-use data-name="Card" data-props='{"title":"T","href":"/guides/install"}'>in <i>it</i></x-use>` +
        `<x-slot data-n="0"></x-slot><pre>a\n  b</pre></section>`,
    ),
  ]);
  expect(html).toContain('<section class="a">');
  expect(html).toMatch(/<a [^>]*href="install.html"[^>]*class="card|class="card[^>]*href="install.html"/);
  expect(html).toContain("in <i>it</i>");
  expect(html).toContain("<p><strong>x</strong></p>");
  expect(html).toContain("<pre>a\n  b</pre>");
  expect(html).not.toMatch(/data-island|x-use|x-slot/);
  expect(scripts).toEqual([]);
});

test("a live island keeps its structure: only attributes of links, images and styles change", async () => {
  const { html, files, stylesheets, scripts } = await show(
    "<C>\n**x**\n</C>",
    [
      live(
        '<h2>T</h2><table><tbody><tr><td style="color:red">1</td></tr></tbody></table><a href="/guides/install">l</a>' +
          '<img src="/images/a.png" alt="p"><style>.q{color:blue}</style><x-slot data-n="0"></x-slot>',
      ),
    ],
    { scripts: [{ outputPath: "_offprint/i/0123456789ab.js", text: "module" }] },
  );
  const style = /class="(style-[0-9a-f]{12})"/.exec(html)![1]!;
  expect(html).toBe(
    `<div data-island="0123456789ab#__i0"><h2>T</h2><table><tbody><tr><td class="${style}">1</td></tr></tbody></table>` +
      '<a href="install.html">l</a><img src="../images/a.png" alt="p"><template data-style=""></template>' +
      '<x-slot data-n="0"><p><strong>x</strong></p></x-slot></div>',
  );
  const sheet = files.find(({ outputPath }) => stylesheets.includes(outputPath))!;
  const css = Buffer.from(sheet.bytes).toString();
  expect(css).toContain(`.${style}:not(#\\_):not(#\\_){color:red}`);
  expect(css).toContain(".q{color:blue}");
  expect(scripts).toEqual(["_offprint/islands.js", "_offprint/i/0123456789ab.js"]);
});

test("an attribute without a value is true", async () => {
  const { html } = await show("<C/>", [live('<input type="radio" checked="" disabled=""><option value="" selected>')]);
  expect(html).toContain('<input type="radio" checked disabled>');
  expect(html).toContain('<option value="" selected>');
});

test("content that the first render does not show is stored in a template", async () => {
  const { html, sections } = await show("<C>\n**x**\n</C>", [live("<p>closed</p>", { slots: [] })]);
  expect(html).toBe(
    '<div data-island="0123456789ab#__i0"><p>closed</p></div>\n<template data-slot="0"><p><strong>x</strong></p></template>',
  );
  expect(sections.map(({ text }) => text).join()).toContain("x");
});

test("an island that only the browser can render reserves its place, and is reported with the reason", async () => {
  const { html, codes, placed } = await show("<C>\n**x**\n</C>", [
    { clientOnly: "it reads the clock", island: "0123456789ab#__i0", ui: false },
  ]);
  expect(html).toBe(
    '<div data-island="0123456789ab#__i0" data-client-only="This part failed to run."><p class="island-placeholder">This part needs JavaScript.</p></div>\n' +
      '<template data-slot="0"><p><strong>x</strong></p></template>',
  );
  expect(codes).toEqual(["ISLAND_CLIENT_ONLY"]);
  expect(placed.diagnostics[0]).toMatchObject({
    what: "<C> is rendered only in the reader's browser, because it reads the clock.",
    location: { sourcePath: "guides/a.mdx", line: 3, column: 1 },
  });
});

test("an island that cannot be rendered shows its source and its content, and is reported", async () => {
  const { html, codes } = await show("<C>\n**x**\n</C>", [{ failed: "deadline", message: "it takes too long" }]);
  expect(html).toContain("<summary>Its code: <code>C</code></summary>");
  expect(html).toContain("<p><strong>x</strong></p>");
  expect(codes).toEqual(["ISLAND_LIMIT"]);
});

test("faults are reported once, at their location in the script or otherwise at the tag", async () => {
  const { placed } = await show("<C/>", [made("<b></b>")], {
    faults: [
      { code: "MODULE_SYNTAX", module: "b.jsx", line: 2, column: 4, what: "Expected )" },
      { code: "ISLAND_COMPONENT", module: "guides/a.mdx", root: 0, what: "Tabs" },
    ],
  });
  expect(placed.diagnostics.map(({ code, location }) => [code, location])).toEqual([
    ["MODULE_SYNTAX", { sourcePath: "b.jsx", line: 2, column: 4 }],
    ["ISLAND_COMPONENT", { sourcePath: "guides/a.mdx", line: 3, column: 1 }],
  ]);
});

test("a page without islands is unchanged and sends no request", async () => {
  const content = await readPage("export const A = ({ n }) => <b>{n}</b>\n\n<A n={1} /> {1 + 1} **x**");
  const tools = { ask: () => assert.fail(), runtime: () => assert.fail() };
  expect(await placeIslands(content, "a.mdx", tools)).toBe(content);
});

test("islands inside another one are rendered with its slot, at any depth", async () => {
  const source = `${hook}export const P = ({ children }) => { useState(0); return children }

<P>
- a <C/>

<Card title="t">

| h |
| --- |
| <C/> |

</Card>

<P>
## b

1. <C/>
</P>
</P>

<C/>`;
  const content = await readPage(source, { sourcePath: "a.mdx" });
  let asked: readonly IslandRoot[] = [];
  await placeIslands(content, "a.mdx", {
    ask: async ({ roots }) => {
      asked = roots;
      return { answers: [], scripts: [], faults: [] };
    },
    runtime: async () => [],
  });
  const sourceOf = ({ name }: IslandRoot): string =>
    new RegExp(`const ${name} = \\(\\) => (.*?);\n`).exec(`${content.islands!.modules["a.mdx"]}\n`)![1]!;
  const outer = "(<P><__Slot n={0} /><P><__Slot n={1} /></P></P>)";
  expect(
    asked.map((root) => {
      const { around } = root;
      return around ? `${sourceOf(root)} in slot ${around.slot} of ${sourceOf(asked[around.root]!)}` : sourceOf(root);
    }),
  ).toEqual([
    `(<C />) in slot 0 of ${outer}`,
    `(<C />) in slot 0 of ${outer}`,
    `(<C />) in slot 1 of ${outer}`,
    outer,
    "(<C />)",
  ]);
});

const hostile = [
  ["a script", "<script>window.__xss=1</script>"],
  ["a handler", '<img src="x" onerror="window.__xss=1"><b onclick="window.__xss=1">b</b>'],
  ["an address that runs code", '<a href="java&#10;script:window.__xss=1">l</a><iframe src="javascript:1"></iframe>'],
  ["a document in a frame", '<iframe srcdoc="<script>window.__xss=1</script>"></iframe>'],
  ["a style that ends its element", "<style></style><script>window.__xss=1</script></style>"],
  ["a style with a rule after it", '<b style="color:red}</style><script>window.__xss=1</script>">b</b>'],
  ["SVG with a script", '<svg><script>window.__xss=1</script><a href="javascript:1"><text>t</text></a></svg>'],
  [
    "properties that pass for nodes",
    `<x-use data-name="Card" data-props='{"icon":{"type":"jsxTree","children":[{"type":"html","value":"<script>window.__xss=1</script>"}]}}'></x-use>`,
  ],
  [
    "HTML in properties",
    `<x-use data-name="Card" data-props='{"icon":{"$html":"<img src=x onerror=window.__xss=1>"}}'></x-use>`,
  ],
  [
    "an address in properties",
    `<x-use data-name="Card" data-props='{"title":"t","href":"javascript:window.__xss=1"}'></x-use>`,
  ],
  ["a name that is markup", '<x-use data-name="b><script>window.__xss=1</script>">t</x-use>'],
  ["a template with a script", "<template><script>window.__xss=1</script></template>"],
  ["a base address", '<base href="//evil.example/"><meta http-equiv="refresh" content="0;url=javascript:1">'],
] as const;
for (const [what, html] of hostile)
  test(`the HTML is untrusted: ${what} does nothing`, async () => {
    for (const answer of [made(html), live(html)]) {
      const page = await show("<C/>", [answer]);
      expect(page.html).not.toMatch(/<script|javascript:|\son\w+=|srcdoc|<base|http-equiv/i);
    }
  });

test("properties that are invalid JSON or nested too deep are dropped", async () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  for (const props of ["{", deep]) {
    const { html } = await show("<C/>", [made(`<x-use data-name="Note" data-props='${props}'>text</x-use>`)]);
    expect(html).toContain("text");
  }
});

test("styles of tags in code are in a style sheet, as strict hosts require, with adapted URLs", async () => {
  const source =
    'export const K = ({ c }) => <p style={{ color: c, background: "url(/images/a.png)" }}>{c}</p>;\n\n<K c="red" />\n\n<K c="red" />\n\n{<b className="x" style="margin: 1px">b</b>}\n\n<C />';
  const { html, files, stylesheets } = await show(source, [
    live('<i style="background:url(/images/a.png)">i</i><style>.q{background:url("/images/a.png")}</style>'),
  ]);
  expect(html).not.toMatch(/ style="/);
  const sheet = files.find(({ outputPath }) => stylesheets.includes(outputPath))!;
  const css = Buffer.from((sheet as { bytes: Uint8Array }).bytes).toString();
  const classes = [...html.matchAll(/style-[0-9a-f]{12}/g)].map(([name]) => name);
  expect(html).toContain(`<p class="${classes[0]}">red</p>`);
  expect(html).toContain(`<b class="x ${classes[2]}">b</b>`);
  expect(new Set(classes).size).toBe(3);
  const wins = ":not(#\\_):not(#\\_)";
  expect(css.split("\n").filter(Boolean)).toEqual([
    `.${classes[0]}${wins}{color:red;background:url("../../images/a.png")}`,
    `.${classes[2]}${wins}{margin: 1px}`,
    `.${classes[3]}${wins}{background:url("../../images/a.png")}`,
    '.q{background:url("../../images/a.png")}',
  ]);
});
