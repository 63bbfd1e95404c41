import type { RenderedPage } from "../../../src/page/render/rendered-page.js";
import { createTheme } from "../../../src/page/theme/theme.js";
import type { AssetManifest, ThemeOptions } from "../../../src/page/theme/theme-options.js";
import { configDefaults } from "../../../src/site/config/index.js";
import type { SiteSettings } from "../../../src/site/config/site-config.js";
import { createAddresses } from "../../../src/site/links/index.js";
import type { Division, NavSection, PagePlan, SidebarEntry, Site } from "../../../src/site/site.js";

export function sampleConfig(changes: Partial<SiteSettings> = {}): SiteSettings {
  const colors = { primary: "#0d9373", light: "#07c983", dark: "#0d9373" };
  return { ...configDefaults, sourcePath: "docs.json", locations: new Map(), name: "Acme Docs", colors, ...changes };
}

export function samplePage(index: number, urlPath: string, changes: Partial<PagePlan> = {}): PagePlan {
  const name = urlPath.slice(urlPath.lastIndexOf("/") + 1) || "index";
  const path = urlPath === "/" ? "index" : urlPath.slice(1);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    index,
    sourcePath: `${path}.mdx`,
    urlPath,
    outputPath: `${path}.html`,
    frontmatter: {},
    title,
    deprecated: false,
    listed: true,
    visible: true,
    indexed: true,
    searchable: true,
    noindex: false,
    boost: 1,
    division: 0,
    breadcrumbs: [],
    inDefaultScope: true,
    directory: { style: "none", pages: [] },
    ...changes,
  };
}

export const section = (id: number, changes: Partial<NavSection>): NavSection => ({
  id,
  kind: "root",
  label: "",
  children: [],
  hidden: false,
  default: false,
  globalLinks: [],
  ...changes,
});

export function sampleSite(changes: Partial<Site> & { readonly entries?: readonly SidebarEntry[] } = {}): Site {
  const { entries, ...rest } = changes;
  const pages = rest.pages ?? [
    samplePage(0, "/"),
    samplePage(1, "/guides/install"),
    samplePage(2, "/guides/deep/tune"),
  ];
  const division: Division = {
    id: 0,
    sections: [0],
    entries: entries ?? pages.map(({ index }) => ({ type: "page", page: index })),
    order: pages.map(({ index }) => index),
  };
  return {
    config: sampleConfig(),
    sections: [section(0, { division: 0, landing: 0 })],
    divisions: [division],
    globalLinks: [],
    specRefs: { openapi: [], asyncapi: [], graphql: [], arazzo: [] },
    homePage: 0,
    staticFiles: [],
    styles: [],
    scripts: [],
    specs: [],
    snippets: [],
    classNames: [],
    ...rest,
    pages,
  };
}

export const sampleManifest: AssetManifest = {
  stylesheets: ["_offprint/app.11111111.css"],
  headScript: "_offprint/head.22222222.js",
  scripts: ["_offprint/app.33333333.js"],
  searchScript: "_offprint/search.55555555.js",
  componentParts: false,
  parts: { math: "_offprint/math.44444444.css" },
  favicon: { light: "_offprint/favicon.svg", dark: "_offprint/favicon.svg" },
  marks: { claude: "_offprint/marks/claude.55555555.svg" },
};

export const renderedPage = (changes: Partial<RenderedPage> = {}): RenderedPage => ({
  html: "<p>Body.</p>",
  scripts: [],
  toc: [],
  uses: [],
  external: [],
  stylesheets: [],
  files: [],
  updateTags: [],
  views: [],
  sections: [],
  highlightMs: 0,
  diagnostics: [],
  ...changes,
});

/** A theme whose documents are joined into one string. */
export const sampleTheme = (site: Site, changes: Partial<ThemeOptions> = {}) => {
  const theme = createTheme({
    site,
    addresses: createAddresses(site),
    manifest: sampleManifest,
    icon: ({ name }) => ({ type: "element", tagName: "svg", properties: { dataIcon: name }, children: [] }),
    imageSize: () => undefined,
    renderInline: (markdown) => [{ type: "text", value: markdown }],
    ...changes,
  });
  return {
    ...theme,
    document: (...of: Parameters<typeof theme.document>) => theme.document(...of).join(""),
    notFound: (...of: Parameters<typeof theme.notFound>) => theme.notFound(...of).join(""),
  };
};
