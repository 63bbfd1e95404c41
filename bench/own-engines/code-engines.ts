import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import { transform } from "esbuild";
import type { Nodes, RootContent } from "mdast";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { toMarkdown } from "mdast-util-to-markdown";
import { parseFragment, serialize } from "parse5";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { QuickJS } from "quickjs-wasi";
import { writeHtml } from "../../src/lib/html/write-html.js";
import { jsx as makeTree } from "../../src/lib/jsx/jsx-runtime.js";
import { codeSpan, fence, listItem, markdownTable, quote } from "../../src/lib/markdown.js";
import { parseExpression } from "../../src/page/content/expressions/estree.js";
import { createInterpreter } from "../../src/page/content/expressions/interpret.js";
import { createBudget, Environment } from "../../src/page/content/expressions/values.js";
import { loadParsers } from "../../src/page/content/parse/markdown-parsers.js";
import { compileShort } from "../../src/page/islands/island-renderer.js";
import { type Engine, requireSame } from "./engine.ts";

/** The program of QuickJS, compiled once. */
const quickJs = () =>
  WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm")));

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Elements as components of the theme make them, to trees: those of Preact are HTML, which is parsed. */
export async function jsx(): Promise<Engine> {
  type Make = (type: string, attributes: Readonly<Record<string, string>>, ...children: unknown[]) => unknown;
  const view = (make: Make, page: number): unknown =>
    make(
      "ul",
      { class: "cards", "data-page": String(page) },
      numbers(40).map((i) =>
        make(
          "li",
          { class: "card", id: `card-${i}` },
          make("a", { href: `/page-${i}`, "aria-label": `Page ${i}` }, make("h3", {}, `Title ${i}`)),
          make("p", {}, "Text of a card with ", make("code", {}, `value_${i}`), " & a < sign."),
          i % 2 === 0 ? make("span", { class: "badge" }, "new") : null,
        ),
      ),
    );
  const ourMake: Make = (type, attributes, ...children) =>
    makeTree(type, { ...attributes, children: children as never });
  const theirMake = ((type: string, attributes: object, ...children: never[]) =>
    h(type, attributes, ...children)) as unknown as Make;
  const pages = numbers(200);
  const ours = () => pages.map((page) => view(ourMake, page) as never);
  const theirs = () => pages.map((page) => parseFragment(renderToString(view(theirMake, page) as never)));
  return {
    library: "preact-render-to-string and parse5",
    unit: "pages",
    count: pages.length,
    compare: () =>
      requireSame(
        "HTML",
        ours().map((tree) => serialize(parseFragment(writeHtml({ type: "root", children: [tree] })))),
        theirs().map((tree) => serialize(tree)),
      ),
    ours,
    theirs,
  };
}

/** Expressions in the text of a page, to values. The interpreter of QuickJS is started once and parses each text. */
export async function expressions(): Promise<Engine> {
  const names = {
    version: "4.2",
    limits: { free: 100, team: 2_000 },
    plans: ["free", "team", "company"],
    isPublic: true,
  };
  const texts = numbers(4_000).flatMap((i) => [
    `\`https://api.acme.com/v\${version}/things/${i}\``,
    `limits.team * ${i} + limits.free`,
    `isPublic && plans[${i % 3}] !== "free" ? "paid" : "free"`,
    `[...plans, { name: "plan ${i}", seats: ${i} }]`,
  ]);
  const code = { text: "", sourcePath: "index.mdx", line: 1, column: 1, shift: 0 };
  const ours = () =>
    texts.map((text) => {
      const env = new Environment(code);
      for (const [name, value] of Object.entries(names)) env.define(name, value);
      const parsed = parseExpression(text);
      if (parsed.kind !== "tree") throw new Error(`${text} is not read.`);
      const interpreter = createInterpreter(createBudget(), () => undefined);
      return interpreter.evaluate(parsed.node, env);
    });
  const engine = await QuickJS.create({ wasm: await quickJs() });
  engine.evalCode(`Object.assign(globalThis, ${JSON.stringify(names)})`).dispose();
  const theirs = () =>
    texts.map((text) => {
      const value = engine.evalCode(`JSON.stringify(${text})`);
      const json = value.toString();
      value.dispose();
      return JSON.parse(json);
    });
  return {
    library: "quickjs-wasi",
    unit: "expressions",
    count: texts.length,
    compare: () => requireSame("value", ours(), theirs()),
    ours,
    theirs,
  };
}

/** Short modules of live components, to CommonJS. */
export async function modules(): Promise<Engine> {
  const sources = numbers(1_000).map(
    (i) => `const rows = [["a", ${i}], ["b", ${i + 1}]];
export const Grid = ({ title = "Rows", ...rest }) => (
  <section className={\`grid \${title}\`} {...rest}>
    <h2>{title}</h2>
    <ul>{rows.map(([name, count]) => <li key={name}>{name}: {count}</li>)}</ul>
  </section>
);`,
  );
  const ours = async () => {
    const texts: string[] = [];
    for (const source of sources) texts.push((await compileShort(source))!);
    return texts;
  };
  const theirs = async () => {
    const texts: string[] = [];
    for (const source of sources)
      texts.push(
        (
          await transform(source, {
            loader: "jsx",
            format: "cjs",
            target: "es2020",
            jsxFactory: "__h",
            jsxFragment: "__F",
            minify: true,
          })
        ).code,
      );
    return texts;
  };
  const run = (text: string): unknown => {
    const module = { exports: {} as Record<string, (props: object) => unknown> };
    runInNewContext(text, { module, exports: module.exports, __h: (...parts: unknown[]) => parts });
    return module.exports["Grid"]!({ id: "x" });
  };
  return {
    library: "esbuild",
    unit: "modules",
    count: sources.length,
    compare: async () => requireSame("result", (await ours()).map(run), (await theirs()).map(run)),
    ours,
    theirs,
  };
}

/** A list with code, a quote, a fence and a table for each component, to Markdown that has the same tree. */
export async function markdown(): Promise<Engine> {
  const parts = numbers(2_000).map((i) => ({
    items: [`Item ${i}`, "Second item"],
    code: `const value = ${i};`,
    rows: [
      ["Name", "Type"],
      [`field_${i}`.replaceAll("_", ""), "string"],
    ],
  }));
  const text = (value: string): RootContent => ({ type: "text", value });
  const paragraph = (...children: RootContent[]): RootContent => ({ type: "paragraph", children: children as never });
  const ours = () =>
    parts.map(({ items, code, rows }) =>
      [
        items.map((item) => listItem("* ", `${item}, ${codeSpan("code")}`)).join("\n"),
        quote(`Note of ${items[0]}.`),
        fence("js", code),
        markdownTable(rows, []),
      ].join("\n\n"),
    );
  const theirs = () =>
    parts.map(({ items, code, rows }) => {
      const tree: Nodes = {
        type: "root",
        children: [
          {
            type: "list",
            spread: false,
            children: items.map((item) => ({
              type: "listItem",
              spread: false,
              children: [paragraph(text(`${item}, `), { type: "inlineCode", value: "code" }) as never],
            })),
          },
          { type: "blockquote", children: [paragraph(text(`Note of ${items[0]}.`)) as never] },
          { type: "code", lang: "js", value: code },
          {
            type: "table",
            children: rows.map((row) => ({
              type: "tableRow",
              children: row.map((cell) => ({ type: "tableCell", children: [text(cell) as never] })),
            })),
          },
        ],
      };
      return toMarkdown(tree, { extensions: [gfmTableToMarkdown()] });
    });
  const { parseMarkdown } = await loadParsers("remark");
  const shape = (source: string): string =>
    JSON.stringify(parseMarkdown(source), (key, value) => (key === "position" ? undefined : value));
  return {
    library: "mdast-util-to-markdown",
    unit: "components",
    count: parts.length,
    compare: () => requireSame("tree", ours().slice(0, 50).map(shape), theirs().slice(0, 50).map(shape)),
    ours,
    theirs,
  };
}
