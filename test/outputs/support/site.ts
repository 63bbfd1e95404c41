import type { SiteConfig } from "../../../src/config/site-config.js";
import type { Frontmatter, PagePlan, Site } from "../../../src/discover/site.js";

/** What a test says of a page; the rest follows from its path. */
export type PageSketch = Partial<PagePlan> & { readonly sourcePath: string };

export function makePage(sketch: PageSketch, index = 0): PagePlan {
  const stem = sketch.sourcePath.replace(/\.mdx?$/, "");
  const urlPath = sketch.urlPath ?? (`/${stem}`.replace(/\/index$/, "") || "/");
  const frontmatter: Frontmatter = sketch.frontmatter ?? {};
  const title = sketch.title ?? String(frontmatter["title"] ?? stem);
  const description = typeof frontmatter["description"] === "string" ? frontmatter["description"] : undefined;
  return {
    index,
    urlPath,
    outputPath: urlPath === "/" ? "index.html" : `${urlPath.slice(1)}.html`,
    frontmatter,
    title,
    navTitle: title,
    description,
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
    ...sketch,
  };
}

export function makeConfig(part: Partial<SiteConfig> = {}): SiteConfig {
  return {
    sourcePath: "docs.json",
    places: new Map(),
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0044ff", light: "#0044ff", dark: "#0044ff" },
    appearance: { default: "system", strict: false },
    fonts: {},
    icons: { library: "fontawesome" },
    background: {},
    styling: {
      codeblocks: { mode: "system", theme: { light: "github-light-default", dark: "dark-plus" }, customLanguages: [] },
    },
    thumbnails: {},
    navbar: { links: [] },
    footer: { socials: [], links: [] },
    interaction: {},
    redirects: [],
    variables: {},
    metadata: { timestamp: false },
    notFound: { redirect: true },
    markdown: { schema: true, instructions: [] },
    seo: { indexing: "navigable", metatags: {}, paths: [], trailingSlash: false },
    search: {},
    variations: [],
    integrations: {},
    api: {
      openapi: [],
      asyncapi: [],
      playground: { display: "interactive", proxy: true, credentials: false },
      params: { expanded: "closed", post: [] },
      examples: { languages: [], defaults: "all", prefill: false, autogenerate: true },
      mdx: { servers: [] },
    },
    navigation: { children: [], global: [], openapi: [], asyncapi: [] },
    ...part,
  };
}

export function makeSite(
  pages: readonly PageSketch[],
  config: Partial<SiteConfig> = {},
  part: Partial<Site> = {},
): Site {
  return {
    config: makeConfig(config),
    pages: pages.map(makePage),
    sections: [
      { id: 0, kind: "root", label: "", children: [], hidden: false, default: true, division: 0, globalLinks: [] },
    ],
    divisions: [{ id: 0, sections: [0], entries: [], order: pages.map((_, i) => i) }],
    globalLinks: [],
    staticFiles: [],
    styles: [],
    scripts: [],
    snippets: [],
    classNames: [],
    ...part,
  };
}
