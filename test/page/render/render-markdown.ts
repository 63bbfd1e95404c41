/** Renders Markdown for tests: a parser that reads literal attributes, and ports with simple output. */
import type { Heading, Nodes } from "mdast";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { raw } from "../../../src/lib/jsx/raw.js";
import { createSlugger, headingSlug } from "../../../src/lib/url/index.js";
import type { ComponentDefinition } from "../../../src/page/components/definition.js";
import { componentDefinitions } from "../../../src/page/components/index.js";
import { createContentReader } from "../../../src/page/content/index.js";
import type { PageContent } from "../../../src/page/content/page-content.js";
import {
  createImageMeter,
  createRenderer,
  type Renderer,
  type RendererOptions,
} from "../../../src/page/render/index.js";
import { markdownText } from "../../../src/page/render/nodes.js";
import type { RenderedPage } from "../../../src/page/render/rendered-page.js";
import type { Redirect, SiteConfig } from "../../../src/site/config/site-config.js";
import { createAddresses } from "../../../src/site/links/index.js";
import type { PagePlan, Site } from "../../../src/site/site.js";
import type { SiteFiles } from "../../../src/site/source/site-files.js";
import { literalProps } from "./literal-props.js";

const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze();
const markdown = unified().use(remarkParse).use(remarkGfm).freeze();

/** Content as that stage gives it, as far as literals go. */
export function contentOf(source: string, format: "mdx" | "md" = "mdx"): PageContent {
  const tree = (format === "mdx" ? mdx : markdown).parse(source);
  evaluate(tree, createSlugger());
  return { tree, ok: true, snippets: [], diagnostics: [] };
}

function evaluate(node: Nodes, slugger: ReturnType<typeof createSlugger>): void {
  if (node.type === "heading") nameHeading(node, slugger);
  if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") node.data = { props: literalProps(node) };
  if (!("children" in node)) return;
  const children = node.children.flatMap((child): Nodes[] => {
    if (child.type === "mdxjsEsm") return [];
    if (child.type !== "mdxTextExpression" && child.type !== "mdxFlowExpression") return [child];
    const text = /^\s*(["'`])([\s\S]*)\1\s*$/.exec(child.value)?.[2];
    return text === undefined ? [] : [{ type: "text", value: text }];
  });
  node.children = children as never;
  for (const child of children) evaluate(child, slugger);
}

function nameHeading(node: Heading, slugger: ReturnType<typeof createSlugger>): void {
  node.data = { id: slugger.unique(headingSlug(markdownText(node.children)) || "section") };
}

export interface TestSite {
  /** Source paths of the site's pages; `guides/install.mdx` is there without being named. */
  readonly pages?: readonly string[];
  readonly staticFiles?: readonly string[];
  /** Loaded by every page. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  readonly redirects?: readonly Omit<Redirect, "permanent">[];
  readonly components?: readonly ComponentDefinition[];
  /** Where the static files are on disk. */
  readonly root?: string;
}

export function siteOf({ pages = [], staticFiles = [], styles = [], scripts = [], redirects = [] }: TestSite): Site {
  const sourcePaths = [...new Set([...pages, "guides/install.mdx"])];
  return {
    config: {
      icons: { library: "fontawesome" },
      redirects: redirects.map((each) => ({ ...each, permanent: true })),
    } as unknown as SiteConfig,
    pages: sourcePaths.map(planOf),
    staticFiles,
    styles,
    scripts,
  } as unknown as Site;
}

export function planOf(sourcePath: string, index = 0): PagePlan {
  const stem = sourcePath.replace(/\.mdx?$/, "");
  const urlPath = `/${stem.replace(/(^|\/)index$/, "")}`;
  return {
    index,
    sourcePath,
    urlPath,
    outputPath: urlPath === "/" ? "index.html" : `${urlPath.slice(1)}.html`,
    title: stem,
    frontmatter: {},
  } as unknown as PagePlan;
}

const escapeHtml = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

export const plainPorts: Pick<RendererOptions, "code" | "math" | "diagrams" | "icons" | "parts"> = {
  parts: { math: "_offprint/math.css", tree: "_offprint/tree.css", tooltip: "_offprint/tooltip.css" },
  code: {
    prepare: async () => {},
    block: (code, language, meta) => ({
      node: raw(
        `<pre class="code-block" data-language="${escapeHtml(language ?? "").replace(/"/g, "&quot;")}"><code>${escapeHtml(code)}</code></pre>`,
      ),
      info: { title: meta, language },
      diagnostics: [],
    }),
    beginPage: () => {},
    endPage: () => 0,
  },
  math: {
    prepare: async () => {},
    render: (tex, display) => ({
      node: raw(`<span class="${display ? "math-display" : "math"}">${escapeHtml(tex)}</span>`),
      diagnostics: [],
    }),
  },
  diagrams: {
    draw: async (sources) =>
      sources.map(({ source }) => ({ node: raw(`<figure>${escapeHtml(source)}</figure>`), diagnostics: [] })),
  },
  icons: {
    icon: ({ name }) => ({
      node: raw(`<svg data-icon="${escapeHtml(name).replace(/"/g, "")}"></svg>`),
      diagnostics: [],
    }),
  },
};

export async function rendererOf(site: TestSite = {}, options: Partial<RendererOptions> = {}): Promise<Renderer> {
  const files = new Set(site.staticFiles ?? []);
  const whole = siteOf(site);
  const reader = await createContentReader({
    files: { has: () => false, paths: [] } as unknown as SiteFiles,
    config: { variables: {}, styling: {} } as never,
    markdownComponents: new Set(componentDefinitions.keys()),
  });
  return createRenderer({
    site: whole,
    addresses: createAddresses(whole),
    readText: (path) => (files.has(path) ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : undefined),
    measure: await createImageMeter({
      has: (path) => files.has(path),
      absolutePath: (path) => `${site.root ?? "/nowhere"}/${path}`,
    } as SiteFiles),
    components: site.components
      ? new Map(site.components.map((definition) => [definition.name, definition]))
      : componentDefinitions,
    parseInline: reader.readInline,
    ...plainPorts,
    ...options,
  });
}

/** The page `guides/install.mdx` with this text. */
export async function renderPage(
  source: string,
  site: TestSite & { readonly format?: "mdx" | "md"; readonly sourcePath?: string } = {},
): Promise<RenderedPage> {
  const renderer = await rendererOf(site);
  return renderer.render(planOf(site.sourcePath ?? "guides/install.mdx"), contentOf(source, site.format));
}
