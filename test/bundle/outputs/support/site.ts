import { configDefaults } from "../../../../src/site/config/index.js";
import type { SiteSettings } from "../../../../src/site/config/site-config.js";
import type { PagePlan, Site } from "../../../../src/site/site.js";

/** The facts that a test gives about a page; the others follow from its path. */
export type PageSketch = Partial<PagePlan> & { readonly sourcePath: string };

export function makePage(sketch: PageSketch, index = 0): PagePlan {
  const stem = sketch.sourcePath.replace(/\.mdx?$/, "");
  const urlPath = sketch.urlPath ?? (`/${stem}`.replace(/\/index$/, "") || "/");
  const title = sketch.title ?? stem;
  return {
    index,
    urlPath,
    outputPath: urlPath === "/" ? "index.html" : `${urlPath.slice(1)}.html`,
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
    ...sketch,
  };
}

export function makeConfig(part: Partial<SiteSettings> = {}): SiteSettings {
  const colors = { primary: "#0044ff", light: "#0044ff", dark: "#0044ff" };
  return { ...configDefaults, sourcePath: "docs.json", locations: new Map(), name: "Acme", colors, ...part };
}

export function makeSite(
  pages: readonly PageSketch[],
  config: Partial<SiteSettings> = {},
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
    specRefs: { openapi: [], asyncapi: [], graphql: [], arazzo: [] },
    staticFiles: [],
    styles: [],
    scripts: [],
    specs: [],
    snippets: [],
    classNames: [],
    ...part,
  };
}
