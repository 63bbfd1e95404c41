import type { ElementContent, Root as HastRoot } from "hast";
import type { Nodes, PhrasingContent, Root } from "mdast";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { type Diagnostic, type Location, warningOf } from "../../lib/diagnostic/index.js";
import { withoutNull } from "../../lib/html/escape.js";
import { htmlWriter } from "../../lib/html/write-html.js";
import { fill, languageTag, type Messages, messagesFor } from "../../lib/language/index.js";
import { createMemo } from "../../lib/memo.js";
import type { PagePlan, Site } from "../../site/site.js";
import type { PageContent } from "../content/index.js";
import { collectRequirements, depthLimit, limitDepth } from "./collect-requirements.js";
import { sectionCollector } from "./collect-sections.js";
import { type HeldTree, handlers } from "./handlers/handlers.js";
import { createHtmlJoiner, type HtmlJoiner } from "./html-nodes.js";
import type { ImageMeter } from "./image-meter.js";
import { createInlineReader, type InlineParser, isPlain } from "./inline-markdown.js";
import { createLinkNamer, normalizeTree } from "./normalize-tree.js";
import type { PageDiagram, PageRequirements, RenderTools } from "./page-render.js";
import { createPageRender, type PageRender, writtenLocation } from "./page-render.js";
import type { DiagramPort } from "./ports.js";
import type { RenderedPage } from "./rendered-page.js";

type GivenTools = "addresses" | "measure" | "readText" | "components" | "code" | "math" | "icons";

export interface RendererOptions extends Pick<RenderTools, GivenTools> {
  readonly site: Site;
  readonly diagrams: DiagramPort;
  /** Output paths of the style sheets that only some pages need, by name. */
  readonly parts: Readonly<Record<string, string>>;
  /** Whether elements have `data-component-part`. Default: true. */
  readonly componentParts?: boolean;
  readonly parseInline: InlineParser;
}

export interface Renderer {
  /**
   * Renders a page's tree to HTML, and collects facts that the rest of the site needs. A mistake in the page becomes a
   * diagnostic and never throws.
   * @throws the reason of `signal` once it aborts.
   */
  render(plan: PagePlan, content: PageContent, signal?: AbortSignal): Promise<RenderedPage>;
  /** Size of an image of the site, read once. */
  readonly imageSize: ImageMeter;
  /**
   * Renders short Markdown of front matter or settings (a description, a banner) without a paragraph around it. Ids
   * made from its text begin with `idPrefix`, so that they do not clash with those of the page.
   */
  renderInline(
    plan: PagePlan,
    markdown: string,
    location: Location,
    idPrefix: string,
  ): Promise<Pick<RenderedPage, "html" | "uses" | "external" | "stylesheets" | "diagnostics">>;
}

/** Create one for each worker thread: its pages share caches of links, images and texts. */
export async function createRenderer(options: RendererOptions): Promise<Renderer> {
  const { site, code, math, diagrams } = options;
  const tools: RenderTools = {
    ...options,
    iconLibrary: site.config.icons.library,
    componentParts: options.componentParts ?? true,
    readInline: createInlineReader(options.parseInline),
    sharedHtml: new WeakMap(),
    sharedRequirements: new WeakMap(),
  };
  let joinHtml: Promise<HtmlJoiner> | undefined;
  const locales = createMemo<Locale>();
  const localeOf = ({ language }: PagePlan): Locale => {
    const tag = languageTag(language);
    return locales(tag, () => {
      const messages = messagesFor(tag);
      return { messages, processor: createProcessor(messages) };
    });
  };

  /** Loads the tools for code and formulas of a page, its properties included. @returns the page's style sheets. */
  const prepare = async (page: PageRequirements): Promise<string[]> => {
    const markdown = page.texts.filter((text) => !isPlain(text));
    const inner = markdown.map((text) => collectRequirements(inlineTree(tools.readInline(text)), tools));
    const all = [page, ...inner];
    const fences = all.flatMap((requirements) => requirements.fences);
    await Promise.all([
      fences.length > 0 && code.prepare(fences),
      all.some(({ hasMath }) => hasMath) && math.prepare(),
    ]);
    const names = new Set(all.flatMap((requirements) => [...requirements.stylesheets]));
    return [...names].sort().flatMap((name) => options.parts[name] ?? []);
  };

  const render: Renderer["render"] = async (plan, content, signal) => {
    signal?.throwIfAborted();
    const early: Diagnostic[] = [];
    let tree = content.tree;
    let required = collectRequirements(tree, tools);
    const flatten = (): void => {
      if (required.depth <= depthLimit) return;
      let cut: Nodes | undefined;
      tree = limitDepth(tree, (node) => {
        if (node.position !== undefined) cut ??= node;
      });
      // The content stage may have reported it already, and `flatten` runs again after HTML tags are joined.
      if (![...content.diagnostics, ...early].some(({ code }) => code === nestingCode))
        early.push(tooDeep(plan, required.depth, cut));
      required = collectRequirements(tree, tools);
    };
    flatten();
    if (required.hasHtml) {
      joinHtml ??= createHtmlJoiner();
      tree = (await joinHtml)(tree);
      required = collectRequirements(tree, tools);
      flatten();
    }
    code.beginPage(`${site.config.name}\n${plan.sourcePath}`);
    const stylesheets = await prepare(required);
    // A live component may add a frame later.
    if (content.files?.some(({ outputPath, text }) => outputPath.startsWith("_offprint/i/") && text.includes("iframe")))
      stylesheets.push(...[options.parts["embed"] ?? []].flat());
    const locale = localeOf(plan);
    const rendered = await renderDiagrams(diagrams, plan, required.diagrams, locale.messages, signal);
    signal?.throwIfAborted();

    const { messages } = locale;
    const { searchable } = plan;
    const page = createPageRender({ tools, plan, messages, diagrams: rendered.nodes, searchable });
    const { collector } = page;
    collector.diagnostics.push(...early, ...rendered.diagnostics);
    for (const id of required.ids) collector.ids.reserve(id);
    const html = transform(locale, page, required, { type: "heldTree", tree, inline: false });
    const highlightMs = code.endPage();
    const separately = (nodes: ElementContent[]): string => {
      const root: HastRoot = { type: "root", children: nodes };
      normalizeTree(root, tools, createLinkNamer(page));
      return withoutNull(locale.processor.stringify(root));
    };
    const hasTable = collector.tableCount > 0 || required.stylesheets.has("island");
    const names = [...(hasTable ? ["table"] : []), ...(collector.hasGround ? ["ground"] : [])];
    const foundSheets = names.flatMap((name) => options.parts[name] ?? []);
    const islandSheet = collector.islandStyles.file();
    const files = islandSheet ? [...rendered.files, islandSheet] : rendered.files;
    return {
      html,
      ...(collector.lead.length > 0 && { leadHtml: separately(collector.lead) }),
      ...(collector.panel.length > 0 && { panelHtml: separately(collector.panel) }),
      toc: collector.toc,
      uses: collector.uses,
      external: collector.external,
      stylesheets: [...new Set([...stylesheets, ...foundSheets]), ...files.map((file) => file.outputPath)],
      scripts: content.scripts ?? [],
      files,
      updateTags: [...collector.updateTags],
      views: collector.views,
      sections: collector.sections,
      highlightMs,
      diagnostics: collector.diagnostics,
    };
  };

  const renderInline: Renderer["renderInline"] = async (plan, markdown, location, idPrefix) => {
    const tree = inlineTree(tools.readInline(markdown));
    const required = collectRequirements(tree, tools);
    const stylesheets = await prepare(required);
    const locale = localeOf(plan);
    const context = { tools, plan, messages: locale.messages, diagrams: new Map(), searchable: false };
    const page = createPageRender(context, location, idPrefix);
    const html = transform(locale, page, required, { type: "heldTree", tree, inline: true }).trim();
    const { uses, external, diagnostics } = page.collector;
    return { html, uses, external, stylesheets, diagnostics };
  };
  return { render, renderInline, imageSize: tools.measure };
}

const inlineTree = (nodes: PhrasingContent[]): Root => ({ type: "root", children: nodes });

/** The parts that depend on the language of a page. */
interface Locale {
  readonly messages: Messages;
  readonly processor: ReturnType<typeof createProcessor>;
}

/** The unified pipeline for the pages of a language. `data.page` of its file is the page. */
const createProcessor = (messages: Messages) =>
  unified()
    .use(remarkRehype, {
      handlers,
      allowDangerousHtml: true,
      footnoteLabel: messages.footnotes,
      footnoteLabelProperties: { className: ["visually-hidden"] },
      footnoteBackLabel: (reference, again) =>
        fill(messages.backToReference, again > 1 ? `${reference + 1}-${again}` : reference + 1),
    })
    .use(sectionCollector)
    .use(() => (tree: HastRoot, file) => {
      const page = file.data["page"] as PageRender;
      normalizeTree(tree, page.context.tools, createLinkNamer(page));
    })
    .use(htmlWriter)
    .freeze();

function transform({ processor }: Locale, page: PageRender, required: PageRequirements, held: HeldTree): string {
  const root = { type: "root", children: [...required.definitions, held] } as unknown as Root;
  const hast = processor.runSync(root, { data: { page } });
  return withoutNull(processor.stringify(hast as HastRoot));
}

async function renderDiagrams(
  port: DiagramPort,
  plan: PagePlan,
  diagrams: readonly PageDiagram[],
  messages: Messages,
  signal: AbortSignal | undefined,
) {
  const requests = diagrams.map(({ code, caption }) => ({
    source: code.value,
    ...(code.meta ? { meta: code.meta } : {}),
    caption,
    location: writtenLocation(plan, code) ?? { sourcePath: plan.sourcePath },
  }));
  const results = requests.length === 0 ? [] : await port.draw(requests, messages, signal);
  const files = new Map(results.flatMap(({ stylesheet }) => (stylesheet ? [[stylesheet.outputPath, stylesheet]] : [])));
  const nodes = new Map(results.map(({ node }, i) => [diagrams[i]!.code, node]));
  return { nodes, files: [...files.values()], diagnostics: results.flatMap(({ diagnostics }) => diagnostics) };
}

const nestingCode = "NESTING_TOO_DEEP";

/** @param node the first node that becomes text. */
const tooDeep = (plan: PagePlan, depth: number, node: Nodes | undefined): Diagnostic => ({
  ...warningOf(nestingCode),
  what: `The page is nested ${depth} levels deep; everything below level ${depthLimit} is shown as plain text.`,
  location: (node && writtenLocation(plan, node)) ?? { sourcePath: plan.sourcePath },
  fix: "use fewer levels: browsers stop at 512 nested elements.",
});
