import type { ElementContent, Root as HastRoot } from "hast";
import type { Code, Nodes, PhrasingContent, Root } from "mdast";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { htmlWriter } from "../../lib/html/write-html.js";
import { fill, languageTag, type Messages, messagesFor } from "../../lib/language/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { ComponentDefinition } from "../components/index.js";
import type { PageContent } from "../content/index.js";
import { type PageSurvey, surveyPage } from "./collect-requirements.js";
import { sectionCollector } from "./collect-sections.js";
import { type HeldTree, handlers } from "./handlers.js";
import { createHtmlJoiner, type HtmlJoiner } from "./html-nodes.js";
import { createImageMeter, type ImageMeter } from "./image-meter.js";
import { createInlineReader, type InlineParser, isPlain } from "./inline-markdown.js";
import { depthLimit, limitDepth } from "./limit-depth.js";
import { tidyTree } from "./normalize-tree.js";
import { createPageRun, locationOf, type PageRun, type RenderTools } from "./page-run.js";
import type { CodePort, DiagramPort, IconPort, MathPort } from "./ports.js";
import type { RenderedPage } from "./rendered-page.js";

export interface RendererOptions {
  readonly site: Site;
  readonly addresses: Addresses;
  readonly files: SiteFiles;
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly code: CodePort;
  readonly math: MathPort;
  readonly diagrams: DiagramPort;
  readonly icons: IconPort;
  /** Output paths of the style sheets that only some pages need, by name. */
  readonly parts: Readonly<Record<string, string>>;
  /** Reads Markdown in properties; without it remark does, loaded when the first text needs it. */
  readonly parseInline?: InlineParser;
}

export interface Renderer {
  /**
   * A page's tree as HTML, with what the rest of the site needs of it. A mistake in the page comes back as a
   * diagnostic and never throws.
   * @throws the reason of `signal` once it aborts.
   */
  render(plan: PagePlan, content: PageContent, signal?: AbortSignal): Promise<RenderedPage>;
  /** Size of a picture of the site, read once. */
  readonly imageSize: ImageMeter;
  /** Short Markdown from front matter or settings (a description, a banner) as HTML without a paragraph around it. */
  renderInline(
    plan: PagePlan,
    markdown: string,
    location: Location,
  ): Promise<Pick<RenderedPage, "html" | "uses" | "external" | "stylesheets" | "diagnostics">>;
}

/** One for each worker thread: what it learns of a site's links, pictures and texts serves all its pages. */
export async function createRenderer(options: RendererOptions): Promise<Renderer> {
  const { site, code, math, diagrams, icons } = options;
  const parseInline = options.parseInline;
  const tools: RenderTools = {
    components: options.components,
    iconLibrary: site.config.icons.library,
    code,
    math,
    icons,
    addresses: options.addresses,
    measure: await createImageMeter(options.files),
    inline: createInlineReader(parseInline && (async () => parseInline)),
    shared: new WeakMap(),
    sharedSurveys: new WeakMap(),
  };
  let joinHtml: Promise<HtmlJoiner> | undefined;
  const speeches = new Map<string, Speech>();
  const speechOf = ({ language }: PagePlan): Speech => {
    const tag = languageTag(language);
    const known = speeches.get(tag);
    if (known) return known;
    const messages = messagesFor(tag);
    const speech = { messages, processor: createProcessor(messages) };
    speeches.set(tag, speech);
    return speech;
  };

  /** Waits for all that a page needs, the Markdown in its properties included. Gives the style sheets it needs. */
  const prepare = async (page: PageSurvey): Promise<string[]> => {
    await tools.inline.prepare(page.texts);
    const marked = page.texts.filter((text) => !isPlain(text));
    const surveys = [page, ...marked.map((text) => surveyPage(inlineTree(tools.inline.read(text)), tools))];
    const languages = new Set(surveys.flatMap((survey) => [...survey.languages]));
    const iconChoices = surveys.flatMap((survey) => survey.icons);
    const hasMath = surveys.some((survey) => survey.hasMath);
    const waits: Promise<void>[] = [];
    if (languages.size > 0) waits.push(code.prepare([...languages]));
    if (hasMath) waits.push(math.prepare());
    if (iconChoices.length > 0) waits.push(icons.prepare(iconChoices));
    await Promise.all(waits);
    const names = new Set(surveys.flatMap((survey) => [...survey.stylesheets]));
    return [...names].sort().flatMap((name) => options.parts[name] ?? []);
  };

  const render: Renderer["render"] = async (plan, content, signal) => {
    signal?.throwIfAborted();
    const early: Diagnostic[] = [];
    let tree = content.tree;
    let survey = surveyPage(tree, tools);
    const flatten = (): void => {
      if (survey.depth <= depthLimit) return;
      const cut: Nodes[] = [];
      tree = limitDepth(tree, (node) => cut.push(node));
      // Content may have said so of the same page, and HTML joined from its tags may nest again.
      if (![...content.diagnostics, ...early].some(({ code }) => code === nestingCode))
        early.push(
          tooDeep(
            plan,
            survey.depth,
            cut.find(({ position }) => position !== undefined),
          ),
        );
      survey = surveyPage(tree, tools);
    };
    flatten();
    if (survey.hasHtml) {
      joinHtml ??= createHtmlJoiner();
      tree = (await joinHtml)(tree);
      survey = surveyPage(tree, tools);
      flatten();
    }
    code.beginPage(`${site.config.name}\n${plan.sourcePath}`);
    const stylesheets = await prepare(survey);
    const speech = speechOf(plan);
    const drawn = await drawDiagrams(diagrams, plan, survey.diagrams, speech.messages, signal);
    signal?.throwIfAborted();

    const run = createPageRun(tools, plan, speech.messages, drawn.nodes);
    run.diagnostics.push(...early, ...drawn.diagnostics);
    for (const id of survey.ids) run.ids.reserve(id);
    if (plan.searchable) run.sections = [];
    const html = transform(speech, run, survey, { type: "heldTree", tree, inline: false });
    const highlightMs = code.endPage();
    const beside = (nodes: ElementContent[]): string => {
      const root: HastRoot = { type: "root", children: nodes };
      tidyTree(root);
      return written(speech.processor.stringify(root));
    };
    return {
      html,
      ...(run.lead.length > 0 ? { leadHtml: beside(run.lead) } : {}),
      ...(run.panel.length > 0 ? { panelHtml: beside(run.panel) } : {}),
      toc: run.toc,
      uses: run.uses,
      external: run.external,
      stylesheets: [...stylesheets, ...drawn.files.map((file) => file.outputPath)],
      files: drawn.files,
      updateTags: [...run.updateTags],
      views: run.views,
      sections: run.sections ?? [],
      highlightMs,
      diagnostics: run.diagnostics,
    };
  };

  const renderInline: Renderer["renderInline"] = async (plan, markdown, location) => {
    await tools.inline.prepare([markdown]);
    const tree = inlineTree(tools.inline.read(markdown));
    const survey = surveyPage(tree, tools);
    const stylesheets = await prepare(survey);
    const speech = speechOf(plan);
    const run = createPageRun(tools, plan, speech.messages, new Map());
    run.location = location;
    const html = transform(speech, run, survey, { type: "heldTree", tree, inline: true }).trim();
    return { html, uses: run.uses, external: run.external, stylesheets, diagnostics: run.diagnostics };
  };
  return { render, renderInline, imageSize: tools.measure };
}

const inlineTree = (nodes: PhrasingContent[]): Root => ({ type: "root", children: nodes });

/** What differs from language to language. */
interface Speech {
  readonly messages: Messages;
  readonly processor: ReturnType<typeof createProcessor>;
}

/** The unified pipeline: every page of a language passes it, with its own run in the file's data. */
function createProcessor(messages: Messages) {
  return unified()
    .use(remarkRehype, {
      handlers,
      allowDangerousHtml: true,
      footnoteLabel: messages.footnotes,
      footnoteLabelProperties: { className: ["visually-hidden"] },
      footnoteBackLabel: (reference, again) =>
        fill(messages.backToReference, again > 1 ? `${reference + 1}-${again}` : reference + 1),
    })
    .use(sectionCollector)
    .use(() => tidyTree)
    .use(htmlWriter)
    .freeze();
}

function transform({ processor }: Speech, run: PageRun, survey: PageSurvey, held: HeldTree): string {
  const root = { type: "root", children: [...survey.definitions, held] } as unknown as Root;
  const hast = processor.runSync(root, { data: { run } });
  return written(processor.stringify(hast as HastRoot));
}

/** Browsers replace U+0000, editors choke on it. */
const written = (html: string): string => (html.includes("\0") ? html.replaceAll("\0", "") : html);

async function drawDiagrams(
  port: DiagramPort,
  plan: PagePlan,
  sources: readonly Code[],
  messages: Messages,
  signal: AbortSignal | undefined,
) {
  const nodes = new Map<object, ElementContent>();
  const files: { outputPath: string; bytes: Uint8Array }[] = [];
  const diagnostics: Diagnostic[] = [];
  if (sources.length > 0) {
    const run = { plan, location: { sourcePath: plan.sourcePath } };
    const requests = sources.map((node) => ({
      source: node.value,
      ...(node.meta ? { meta: node.meta } : {}),
      location: locationOf(run, node),
    }));
    const drawings = await port.draw(requests, messages, signal);
    drawings.forEach((drawing, i) => {
      nodes.set(sources[i]!, drawing.node);
      diagnostics.push(...drawing.diagnostics);
      const { stylesheet } = drawing;
      if (stylesheet && !files.some((file) => file.outputPath === stylesheet.outputPath)) files.push(stylesheet);
    });
  }
  return { nodes, files, diagnostics };
}

const nestingCode = "NESTING_TOO_DEEP";

/** @param node the first that is shown as text. */
const tooDeep = (plan: PagePlan, depth: number, node: Nodes | undefined): Diagnostic => ({
  code: nestingCode,
  severity: "warning",
  what: `The page nests ${depth} levels; what is deeper than ${depthLimit} is shown as plain text.`,
  location: locationOf({ plan, location: { sourcePath: plan.sourcePath } }, node ?? {}),
  fix: "nest less: browsers stop at 512 elements.",
});
