import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createTheme, type PageExtras } from "../../../src/page/theme/theme.js";
import type { ThemeOptions } from "../../../src/page/theme/theme-options.js";
import type { Contextual } from "../../../src/site/config/site-config.js";
import { createAddresses } from "../../../src/site/links/index.js";
import type { PagePlan, Site } from "../../../src/site/site.js";
import { renderedPage, sampleConfig, sampleManifest, sampleSite } from "./sample-site.js";

const markdown = {
  path: "guides/install.md",
  script: "_offprint/markdown/guides/install.0a1b2c3d.js",
  url: "https://docs.acme.com/guides/install.md",
};

interface Setting {
  readonly options: Contextual["options"];
  readonly display?: Contextual["display"];
  readonly print?: boolean;
  readonly isPublic?: boolean;
  readonly mcp?: string;
  readonly beside?: PageExtras;
  readonly mode?: string;
  readonly api?: PagePlan["api"];
  readonly site?: Partial<Site>;
  /** The menu that the page itself sets. */
  readonly contextual?: Contextual;
  readonly specFile?: ThemeOptions["specFile"];
}

function pageOf({
  options,
  display = "header",
  print,
  isPublic = true,
  beside = { markdown },
  mode,
  api,
  contextual,
  specFile,
  mcp,
  ...more
}: Setting): string {
  const base = sampleSite({ config: sampleConfig({ contextual: { options, display, print } }) });
  const pages = base.pages.map((page) => ({ ...page, api, contextual, ...(mode ? { frontmatter: { mode } } : {}) }));
  const site = { ...base, ...more.site, pages };
  const icon = () => undefined;
  const shared = { manifest: { ...sampleManifest, mcp }, icon, imageSize: () => undefined, renderInline: () => [] };
  const theme = createTheme({ ...shared, site, addresses: createAddresses(site), isPublic, specFile });
  return theme.document(site.pages[1]!, renderedPage(), beside).join("");
}

/** The entries of the open menu: titles with the action of a click. */
const entriesOf = (html: string): string[] =>
  [...html.matchAll(/<(?:button type="button"|a) class="menu-item"(.*?)<\/(?:button|a)>/gs)].map(([, entry]) => {
    const title = /item-title">([^<]*)/.exec(entry!)![1];
    const action = /data-page-copy|data-print|data-copy-text="[^"]*"|data-page-href="[^"]*"|href="[^"]*"/.exec(
      entry!,
    )![0];
    return `${title}: ${action.replaceAll("&amp;", "&")}`;
  });

const question =
  "Read%20https%3A%2F%2Fdocs.acme.com%2Fguides%2Finstall.md%20so%20that%20I%20can%20ask%20questions%20about%20it.";

describe("the page menu", () => {
  test("has the site's options in order, without those that need a server", () => {
    const options = ["view", "copy", "mcp", "cursor", "vscode", "add-mcp", "devin-mcp", "assistant", "download-spec"];
    const html = pageOf({ options: [...options, "claude", "download-pdf"] });
    assert.deepEqual(entriesOf(html), [
      'View as Markdown: href="../guides/install.md"',
      "Copy page: data-page-copy",
      `Open in Claude: href="https://claude.ai/new?q=${question}"`,
      "Save as PDF: data-print",
    ]);
    assert.match(html, /<a class="page-menu-button" href="\.\.\/guides\/install\.md">.*?View as Markdown</s);
    assert.match(html, /data-markdown="\.\.\/_offprint\/markdown\/guides\/install\.0a1b2c3d\.js"/);
    assert.match(html, /<img src="\.\.\/_offprint\/marks\/claude\.55555555\.svg"[^>]* loading="lazy">/);
  });

  test("connects agents to the site's MCP server, if it is known", () => {
    const url = "https://docs-api.acme.com/mcp/docs?key=svc_dsc_1";
    const own = {
      title: "Ours",
      description: "",
      href: { base: "https://agent.example.com/add", query: [{ key: "server", value: "at $mcp" }] },
    };
    const html = pageOf({
      options: ["mcp", "add-mcp", "cursor", "vscode", "devin-mcp", own],
      mcp: url,
      isPublic: false,
    });
    const entries = entriesOf(html);
    assert.deepEqual(entries.slice(0, 2), [
      `Copy MCP server: data-copy-text="${url}"`,
      `Copy MCP install command: data-copy-text="npx add-mcp '${url}'"`,
    ]);
    const [, cursor] = /^Connect to Cursor: href="(.*)"$/.exec(entries[2]!)!;
    const parameters = new URL(cursor!).searchParams;
    assert.equal(parameters.get("name"), "acme-docs");
    assert.deepEqual(JSON.parse(atob(parameters.get("config")!)), { url });
    const [, vscode] = /^Connect to VS Code: href="vscode:mcp\/install\?(.*)"$/.exec(entries[3]!)!;
    assert.deepEqual(JSON.parse(decodeURIComponent(vscode!)), { name: "acme-docs", type: "http", url });
    assert.deepEqual(entries.slice(4), [
      `Ours: href="https://agent.example.com/add?server=${encodeURIComponent(`at ${url}`)}"`,
    ]);
    assert.doesNotMatch(html, /target="_blank"[^>]*href="(?:cursor|vscode)/);
  });

  test("offers the file of the specification that a page is made from", () => {
    const options = ["copy", "download-spec"];
    const api = (spec: string) => ({ kind: "operation", spec, method: "get", path: "/x" }) as const;
    const specFile = (key: string) => (key === "api/open.json + more.json" ? "downloads/open.json" : undefined);
    const html = pageOf({ options, specFile, api: api("api/open.json + more.json") });
    assert.deepEqual(entriesOf(html), [
      "Copy page: data-page-copy",
      'Download API description: href="../downloads/open.json"',
    ]);
    assert.match(html, /<a class="menu-item" href="\.\.\/downloads\/open\.json" download>/);
    assert.doesNotMatch(pageOf({ options, specFile, api: api("other.json") }), /Download API/);
    assert.doesNotMatch(pageOf({ options, specFile }), /Download API/);
  });

  test("links the printed section of the page, even if the menu has no other entry", () => {
    const group = {
      type: "group",
      label: "Get started",
      expanded: false,
      entries: [{ type: "page", page: 1 }],
    } as const;
    const site = { divisions: [{ id: 0, sections: [0], entries: [group], order: [1] }] };
    assert.match(
      pageOf({ options: [], print: true, site }),
      /<a class="page-menu-button" href="\.\.\/_print\/get-started\.html">.*?Print this section/s,
    );
    assert.deepEqual(entriesOf(pageOf({ options: ["view"], print: true, site })), [
      'View as Markdown: href="../guides/install.md"',
      'Print this section: href="../_print/get-started.html"',
    ]);
    const unlisted = { divisions: [{ id: 0, sections: [0], entries: [], order: [] }] };
    assert.doesNotMatch(pageOf({ options: [], print: true, site: unlisted }), /page-menu/);
  });

  test("has no assistants if none of them could read the page", () => {
    const html = pageOf({ options: ["copy", "chatgpt", "claude"], isPublic: false });
    assert.doesNotMatch(html, /chatgpt|claude\.ai/);
    assert.doesNotMatch(html, /page-context-menu-button/);
    assert.match(html, /data-page-copy/);
  });

  test("is missing if none of its entries could work", () => {
    assert.doesNotMatch(pageOf({ options: ["mcp", "assistant"] }), /page-menu/);
    assert.doesNotMatch(pageOf({ options: ["copy"], beside: {} }), /page-menu/);
    assert.doesNotMatch(pageOf({ options: ["copy"], mode: "custom" }), /page-menu/);
  });

  test("fills the page's path and Markdown into the site's own entries", () => {
    const own = (href: Exclude<Contextual["options"][number], string>["href"]) => ({
      title: "T",
      description: "D",
      href,
    });
    const html = pageOf({
      options: [
        own("https://example.com/edit$path.mdx"),
        own({ base: "https://example.com/new?a=1", query: [{ key: "b c", value: "see $path & more" }] }),
        own({ base: "https://example.com", query: [{ key: "q", value: "$page" }] }),
        own({ base: "https://example.com", query: [{ key: "q", value: "$mcp" }] }),
        own("/guides/deep/tune"),
        own("javascript:alert(1)"),
      ],
    });
    assert.deepEqual(entriesOf(html), [
      'T: href="https://example.com/edit/guides/install.mdx"',
      'T: href="https://example.com/new?a=1&b%20c=see%20/guides/install%20%26%20more"',
      'T: data-page-href="https://example.com?q=%24page"',
      'T: href="../guides/deep/tune.html"',
      'T: href="#"',
    ]);
  });

  test("is the one from the page's front matter, if there is one", () => {
    const own: Contextual = { options: ["view", "claude"], display: "toc" };
    const html = pageOf({ options: ["copy", "download-pdf"], contextual: own });
    assert.deepEqual(entriesOf(html), [
      'View as Markdown: href="../guides/install.md"',
      `Open in Claude: href="https://claude.ai/new?q=${question}"`,
    ]);
    assert.match(html, /class="page-menu-list"/);
    const none: Contextual = { options: [], display: "header" };
    assert.doesNotMatch(pageOf({ options: ["copy"], print: true, contextual: none }), /page-menu/);
  });

  test("is in the side column if the site wants it there, and above the page if there is no side column", () => {
    const html = pageOf({ options: ["copy", "view"], display: "toc" });
    const [before, side] = html.split('<aside id="content-side-layout"');
    assert.match(side!, /<div id="page-context-menu" class="page-menu-list" data-markdown=/);
    assert.match(before!, /<div class="page-menu-narrow page-menu" data-markdown=/);
    assert.equal(html.match(/id="page-context-menu"/g)?.length, 1);
    const wide = pageOf({ options: ["copy", "view"], display: "toc", mode: "wide" });
    assert.match(wide, /<div id="page-context-menu" class="page-menu" data-markdown=/);
  });
});
