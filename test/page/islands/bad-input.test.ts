/** The handling of bad input: each row of the table in the design, from the page's source to its HTML and its diagnostics. */
import assert from "node:assert/strict";
import { afterAll, test } from "vitest";
import type { IslandRenderer } from "../../../src/page/islands/island.js";
import { placeIslands } from "../../../src/page/islands/place-islands.js";
import { createIslandWorker } from "../../../src/page/islands/worker-process.js";
import { readPage } from "../content/read-page.js";
import { rendererOf as pageRendererOf, planOf } from "../render/render-markdown.js";
import { rendererOf } from "./site-of-islands.js";

const sourcePath = "guides/a.mdx";
const worker = createIslandWorker({ pageMs: 300 });
afterAll(() => worker.close());

interface Site {
  readonly source: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** The page's HTML, and `CODE file:line:column severity` of its diagnostics. */
async function show({ source, files = {} }: Site, islands: IslandRenderer = rendererOf({ files, worker })) {
  const content = await readPage(source, { sourcePath, files });
  const placed = await placeIslands(content, sourcePath, {
    ask: (request) => islands.render(request),
    runtime: async () => [{ outputPath: "_offprint/islands.js", text: "runtime" }],
  });
  const page = await (await pageRendererOf()).render({ ...planOf(sourcePath), searchable: true }, placed);
  return {
    html: page.html,
    reported: placed.diagnostics.map(
      ({ code, severity, location: { sourcePath: path, line, column } = {} }) =>
        `${code} ${path}${line === undefined ? "" : `:${line}:${column}`} ${severity}`,
    ),
  };
}

/** On the third line of the page. */
const define = (body: string, file?: Site["files"]): Site => ({
  source: `export const C = ({ children }) => { ${body} };\n\n<C>\n**kept**\n</C>\n\nafter`,
  ...(file ? { files: file } : {}),
});
const importing = (file: string, text: string): Site => ({
  source: `import { C } from "/snippets/${file}";\n\n<C>\n**kept**\n</C>\n\nafter`,
  files: { [`snippets/${file}`]: text },
});

const clientOnly =
  /data-client-only="[^"]+"><p class="island-placeholder">.*<template data-slot="0"><p><strong>kept<\/strong>/s;
const note = /<summary>Its code: <code>C<\/code><\/summary>.*<strong>kept<\/strong>/s;
const content = /<p><strong>kept<\/strong><\/p>/;
const shown = /<b>shown<\/b>/;

const rows: readonly (readonly [input: string, site: Site, outcome: RegExp, reported: readonly string[]])[] = [
  [
    "it reads the window",
    define("return <i>{window.innerWidth}</i>"),
    clientOnly,
    ["ISLAND_CLIENT_ONLY guides/a.mdx:3:1 warning"],
  ],
  [
    "it throws",
    define("useState(0); throw new Error('no')"),
    clientOnly,
    ["ISLAND_CLIENT_ONLY guides/a.mdx:3:1 warning"],
  ],
  [
    "it reads the current time",
    define("return <i>{Date.now()}</i>"),
    clientOnly,
    ["ISLAND_CLIENT_ONLY guides/a.mdx:3:1 warning"],
  ],
  ["it takes too long", define("for (;;);"), note, ["ISLAND_LIMIT guides/a.mdx:3:1 error"]],
  [
    "it takes too much memory",
    define("return 'x'.repeat(2 ** 29).length"),
    note,
    ["ISLAND_LIMIT guides/a.mdx:3:1 error"],
  ],
  [
    "its HTML is more than 1 MB",
    define("useState(0); return 'x'.repeat(1024 * 1024 + 1)"),
    note,
    ["ISLAND_LIMIT guides/a.mdx:3:1 error"],
  ],
  [
    "a module has a mistake",
    importing("c.jsx", "export const C = () =>\n  <b>{1 +* 2}</b>;"),
    content,
    ["MODULE_SYNTAX snippets/c.jsx:2:10 error"],
  ],
  [
    "a module is nested too deep",
    importing(
      "c.jsx",
      `export const C = ({ children }) => { useState(0); return ${"[".repeat(600)}${"]".repeat(600)}; };`,
    ),
    content,
    ["ISLAND_LIMIT snippets/c.jsx error"],
  ],
  [
    "a module is too large",
    importing("c.jsx", `export const C = "${"x".repeat(1024 * 1024)}";`),
    content,
    ["ISLAND_LIMIT snippets/c.jsx error"],
  ],
  [
    "a package that is not react",
    { source: 'import { useState } from "react";\nimport { C } from "lodash/fp";\n\n<C>\n**kept**\n</C>\n\nafter' },
    content,
    ["IMPORT_PACKAGE guides/a.mdx:2:1 warning"],
  ],
  [
    "the network",
    importing(
      "c.jsx",
      "export const C = ({ children }) => { useEffect(() => { fetch('/a'); new WebSocket('wss://b'); }); return <b>shown</b>; };",
    ),
    shown,
    ["ISLAND_NETWORK snippets/c.jsx:1:73 warning", "ISLAND_NETWORK snippets/c.jsx:1:56 warning"],
  ],
  [
    "a frame of another site",
    importing(
      "c.jsx",
      "export const C = ({ children }) => { useState(0); return <div onClick={() => 1}><b>shown</b><iframe src='https://a.example/' /></div>; };",
    ),
    shown,
    ["ISLAND_NETWORK snippets/c.jsx:1:94 warning"],
  ],
];
for (const [input, site, outcome, expected] of rows)
  test(`bad input: ${input}`, async () => {
    const { html, reported } = await show(site);
    assert.match(html, outcome);
    assert.match(html, /<p>after<\/p>$/);
    assert.deepEqual(reported, expected);
  });

test("bad input: more than 200 on a page", async () => {
  const source = `export const C = ({ n }) => { useState(0); return <u>{n}</u> };\n${Array.from({ length: 202 }, (_, i) => `\n<C n={${i}} />\n`).join("")}`;
  const { html, reported } = await show({ source });
  assert.equal(html.match(/<u>\d+<\/u>/g)?.length, 200);
  assert.deepEqual(reported, ["ISLAND_LIMIT guides/a.mdx:403:1 error", "ISLAND_LIMIT guides/a.mdx:405:1 error"]);
});

test("bad input: a page that crashes the process is tried again, and after three crashes all islands are left to the browser", async () => {
  let asked = 0;
  const frail = rendererOf({
    worker: {
      compile: worker.compile,
      render: async (job) => {
        asked++;
        return job.modules.some(({ text }) => text.includes("fatal")) ? { lost: "ended" } : worker.render(job);
      },
      close: async () => {},
    },
  });
  const fatal = define("useState(0); return 'fatal'");
  for (const _ of [1, 2, 3]) {
    const { html, reported } = await show(fatal, frail);
    assert.match(html, note);
    assert.deepEqual(reported, ["ISLAND_LIMIT guides/a.mdx:3:1 error"]);
  }
  assert.equal(asked, 6);
  const { html, reported } = await show(define("useState(0); return 'harmless'"), frail);
  assert.match(html, clientOnly);
  assert.deepEqual(reported, ["ISLAND_CLIENT_ONLY guides/a.mdx:3:1 warning"]);
  assert.equal(asked, 6);
});
