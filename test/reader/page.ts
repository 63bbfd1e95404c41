import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ElementContent } from "hast";
import { buildAssets, writeParts } from "../../src/bundle/assets/build-assets.js";
import { writeHtml } from "../../src/lib/html/write-html.js";
import type { JsxNode } from "../../src/lib/jsx/jsx-runtime.js";
import { raw } from "../../src/lib/jsx/raw.js";
import { messagesFor } from "../../src/lib/language/index.js";
import { CodeFrame } from "../../src/page/components/CodeFrame.js";
import type { ComponentItem } from "../../src/page/components/definition.js";
import { componentDefinitions } from "../../src/page/components/index.js";
import { createTheme } from "../../src/page/theme/theme.js";
import { createAddresses } from "../../src/site/links/index.js";
import type { SidebarEntry, Site } from "../../src/site/site.js";
import { renderedPage, sampleConfig, samplePage, sampleSite, section } from "../page/theme/sample-site.js";
import { memoryFiles } from "../support/memory-files.js";

const messages = messagesFor("en");
const text = (value: string): ElementContent[] => [{ type: "text", value }];
const make = (name: string, props: object): JsxNode =>
  componentDefinitions.get(name)!.render({ children: [], messages, ...props });
const tab = (title: string, id?: string): ComponentItem => ({
  name: "Tab",
  props: { title: text(title) },
  id,
  children: text(`Panel ${title}`),
});
const block = (...lines: string[]): ElementContent => {
  return CodeFrame({ html: lines.join("\n"), lineCount: lines.length, messages }) as ElementContent;
};
const code = (title: string): ComponentItem => ({
  name: "code",
  props: { title },
  children: [block(`run ${title}`)],
});

const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')}`;
const filler = `<p>${"Some words to fill the page. ".repeat(60)}</p>`;

/** The body of a page with one of each interactive component. */
function body(): string {
  const parts: JsxNode[] = [
    raw(
      `<h2 id="first">First</h2>${filler}<h2 id="second">Second<a class="heading-anchor" href="#second" aria-label="Link to this section: Second"></a></h2>${filler}<h3 id="deeper">Deeper</h3>`,
    ),
    make("Tabs", { items: [tab("npm", "npm"), tab("pnpm", "pnpm"), tab("yarn", "yarn")] }),
    make("CodeGroup", { items: [code("npm"), code("pnpm")] }),
    make("Accordion", {
      title: text("A question"),
      id: "a-question",
      children: [raw('<p id="inside">Inside</p>')] as ElementContent[],
    }),
    block("first line", "second line"),
    make("Tooltip", { tip: text("An explanation"), id: "tip", children: text("a word") }),
    make("Tree", {
      children: [
        make("Tree.Folder", { name: "src", children: [make("Tree.File", { name: "main.ts" })] }),
        make("Tree.File", { name: "readme.md" }),
      ],
    }),
    make("Update", { label: text("2.0"), id: "two", tags: ["api", "ui"], children: text("New") }),
    make("Update", { label: text("1.0"), id: "one", tags: ["api"], children: text("Old") }),
    make("View", { title: text("Python"), id: "view-python", children: text("In Python") }),
    make("View", { title: text("Go"), id: "view-go", children: [raw('<p id="in-go">In Go</p>')] as ElementContent[] }),
    raw(`<p><img src="${picture}" alt="A drawing" data-zoom="" width="9" height="9"></p>${filler}`),
  ];
  return writeHtml({ type: "root", children: parts as ElementContent[] });
}

const toc = [
  { id: "first", depth: 2, text: "First" },
  { id: "second", depth: 2, text: "Second" },
  { id: "deeper", depth: 3, text: "Deeper" },
];

function site(): Site {
  const count = 200;
  const pages = Array.from({ length: count }, (_, index) =>
    samplePage(index, index === 0 ? "/" : `/docs/page-${index}`),
  );
  const group = (from: number, label: string): SidebarEntry => ({
    type: "group",
    label,
    expanded: false,
    entries: pages.slice(from, from + 100).map(({ index }) => ({ type: "page", page: index })),
  });
  const sections = [
    section(0, { children: [1, 2] }),
    section(1, { kind: "version", label: "v2", parent: 0, landing: 0, division: 0, default: true }),
    section(2, { kind: "version", label: "v1", parent: 0, landing: 100, division: 0 }),
  ];
  const divisions = [
    {
      id: 0,
      sections: [0, 1],
      entries: [group(0, "Start"), group(100, "Reference")],
      order: pages.map(({ index }) => index),
    },
  ];
  const config = sampleConfig({
    banner: { content: "Version 2 is here", dismissible: true, type: "info" },
    navbar: { links: [{ type: "link", label: "Blog", href: "https://example.com" }] },
  });
  return sampleSite({ pages, sections, divisions, config });
}

/** Writes a small bundle with that page and returns its folder. */
export async function writeBundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "offprint-client-"));
  const clientFolder = join(folder, "client");
  execFileSync(process.execPath, ["scripts/build-client.js", clientFolder]);
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const whole = site();
  const addresses = createAddresses(whole);
  const { manifest } = await buildAssets({
    site: whole,
    addresses,
    files: memoryFiles({}),
    styles: new Map(),
    codeThemeCss: async () => "",
    write,
    clientFolder,
  });
  const theme = createTheme({
    site: whole,
    addresses,
    manifest,
    icon: () => undefined,
    imageSize: () => undefined,
    renderInline: text,
  });
  await writeParts(Object.keys(manifest.parts), write, clientFolder);
  const views = [
    { id: "view-python", title: "Python" },
    { id: "view-go", title: "Go" },
  ];
  const rendered = renderedPage({
    html: body(),
    toc,
    views,
    updateTags: ["api", "ui"],
    stylesheets: Object.values(manifest.parts),
  });
  for (const plan of [whole.pages[0]!, whole.pages[1]!, whole.pages[150]!])
    write(plan.outputPath, theme.document(plan, rendered).join(""));
  for (const { outputPath, text: script } of theme.navScripts()) write(outputPath, script);
  return folder;
}
