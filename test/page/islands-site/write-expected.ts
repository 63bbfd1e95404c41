/**
 * Writes `fixtures/islands/expected`: what React shows of the same pages. React is no dependency of the project, so the
 * folder with it is an argument:
 *
 *     npm install --prefix FOLDER react@19 react-dom@19 @mdx-js/mdx@3 esbuild
 *     node test/page/islands-site/write-expected.ts FOLDER
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import type { Plugin, PluginBuild } from "esbuild";
import type { Page } from "playwright-core";
import { findChromium, launchBrowser } from "../../support/browser.ts";
import { cases } from "./cases.ts";
import { type Expected, fixChance, readerOptions, sectionsOf, stylesOf, takeStep } from "./reader.ts";

const folder = resolve(process.argv[2] ?? "");
const fromFolder = createRequire(join(folder, "index.js"));
const site = fileURLToPath(new URL("../../../fixtures/islands", import.meta.url));
const esbuild: typeof import("esbuild") = fromFolder("esbuild");
const { compile } = await import(pathToFileURL(join(folder, "node_modules/@mdx-js/mdx/index.js")).href);

/** Our components, reduced to the parts that `describeSections` describes. */
const stubs = `
import * as React from "react";
const { createElement: h } = React;
const titled = (tag) => ({ title, href, children }) => h(tag, { title, href }, children);
const code = ({ filename, title, children }) => h("x-code", { title: filename ?? title }, children);
class Guard extends React.Component {
  state = {};
  static getDerivedStateFromError = () => ({ failed: true });
  render() { return this.state.failed ? null : this.props.children; }
}
export const components = {
  Card: titled("x-card"), Expandable: titled("x-expandable"), Accordion: titled("x-accordion"), Step: titled("x-step"), Tab: titled("x-tab"),
  Columns: titled("x-columns"), Steps: titled("x-steps"), Tabs: titled("x-tabs"), Note: titled("x-callout"),
  Tooltip: ({ children }) => h("x-tooltip", null, children), Icon: () => h("x-icon"), CodeBlock: code, CodeGroup: ({ children }) => children,
  h2: ({ children }) => h("h2", { id: children.toLowerCase().replaceAll(" ", "-") }, children),
  Apart: ({ children }) => h(Guard, null, h(React.Suspense, { fallback: null }, children)),
};
Object.assign(globalThis, { React }, React, components);
`;

interface Node {
  type: string;
  name?: string;
  children?: Node[];
}

/** Each tag at the top of a page apart, so that one that fails leaves the others. */
const setApart = () => (tree: Node) => {
  tree.children = tree.children!.map((node) =>
    node.type === "mdxJsxFlowElement"
      ? { type: "mdxJsxFlowElement", name: "Apart", attributes: [], children: [node] }
      : node,
  );
};

const plugin: Plugin = {
  name: "site",
  setup(build: PluginBuild) {
    build.onResolve({ filter: /^\/snippets\// }, ({ path }) => ({ path: join(site, path) }));
    build.onResolve({ filter: /^react/ }, ({ path }) => ({ path: fromFolder.resolve(path) }));
    build.onResolve({ filter: /^stubs$/ }, () => ({ path: "stubs", namespace: "stubs" }));
    build.onLoad({ filter: /.*/, namespace: "stubs" }, () => ({ contents: stubs, resolveDir: folder }));
    build.onLoad({ filter: /\.mdx$/ }, async ({ path }) => {
      const source = readFileSync(path, "utf8").replace(/^---[\s\S]*?\n---\n/, "");
      return { contents: String(await compile(source, { remarkPlugins: [setApart] })), loader: "js" };
    });
  },
};

/** One script: it makes the HTML in `serverHtml()`, and hydrates on `hydrate()`. */
async function bundle(name: string): Promise<string> {
  const contents = `import "stubs"; import { components } from "stubs"; import Page from ${JSON.stringify(join(site, `${name}.mdx`))};
import { renderToString } from "react-dom/server.browser"; import { hydrateRoot } from "react-dom/client"; import { createElement } from "react";
const make = () => createElement(Page, { components });
globalThis.serverHtml = () => renderToString(make());
globalThis.hydrate = () => hydrateRoot(document.getElementById("content"), make());`;
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    write: false,
    format: "iife",
    jsx: "transform",
    tsconfigRaw: "{}",
    plugins: [plugin],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles![0]!.text;
}

const settle = (page: Page): Promise<void> => page.waitForTimeout(150);

const browser = await launchBrowser(findChromium()!);
for (const name of Object.keys(cases)) {
  const script = await bundle(name);
  // React has to render without a window first: what asks for one fails there.
  const server = renderApart(script);

  const context = await browser.newContext(readerOptions);
  await fixChance(context);
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  page.on("console", (message) => message.type() === "error" && console.error(name, message.text()));
  page.on("pageerror", (error) => console.error(name, error.message));
  await page.route("**/*", (route) =>
    route.request().url() === `http://site.example/${name}.html`
      ? route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><meta charset="utf-8"><div id="content">${server}</div>`,
        })
      : route.abort(),
  );
  await page.goto(`http://site.example/${name}.html`);
  const before = await sectionsOf(page, name);
  await page.evaluate(script);
  await page.evaluate("hydrate()");
  await page.waitForTimeout(1500);
  const loaded = await sectionsOf(page, name);
  const expected: Record<string, Expected> = {};
  for (const id of Object.keys(before)) {
    const wanted = cases[name]![id] ?? {};
    const steps: string[] = [];
    for (const step of wanted.steps ?? []) {
      await takeStep(page, id, step);
      await settle(page);
      steps.push((await sectionsOf(page, name))[id]!);
    }
    for (const [index, value] of (await stylesOf(page, id, wanted.styles ?? [])).entries())
      if (value !== wanted.styles![index]![2]) console.error(name, id, wanted.styles![index], value);
    const differs = loaded[id] !== before[id];
    if (differs !== Boolean(wanted.changes) && !wanted.clientOnly)
      console.error(`${name} #${id}: ${differs ? "changes" : "does not change"}`);
    expected[id] = {
      ...(!wanted.clientOnly && { server: before[id]! }),
      ...((differs || wanted.clientOnly) && { loaded: loaded[id]! }),
      ...(steps.length > 0 && { steps }),
    };
  }
  for (const id of Object.keys(cases[name]!)) if (!(id in before)) console.error(`${name}: no section ${id}`);
  const file = join(site, "expected", `${name.replaceAll("/", "-")}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(expected, null, 2)}\n`);
  await context.close();
}
await browser.close();
await esbuild.stop();

/** The page without a window, as on a server. */
function renderApart(script: string): string {
  const { MessageChannel, TextEncoder, URL, atob, btoa, setTimeout, clearTimeout, performance } = globalThis;
  const globals = { MessageChannel, TextEncoder, URL, atob, btoa, setTimeout, clearTimeout, performance };
  return runInNewContext(`${script};serverHtml()`, globals);
}

// React's scheduler keeps a channel open.
process.exit();
