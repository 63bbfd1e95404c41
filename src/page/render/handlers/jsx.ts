import type { ElementContent, Root } from "hast";
import { likelyName, warningOf } from "../../../lib/diagnostic/index.js";
import { writeHtml } from "../../../lib/html/write-html.js";
import { raw } from "../../../lib/jsx/raw.js";
import { createMemo, rememberedFor } from "../../../lib/memo.js";
import { type JsxElement, renamedTag } from "../../content/index.js";
import { collectSections } from "../collect-sections.js";
import { elementName, type Handler, isDropped, pageOf, type State } from "../nodes.js";
import { normalizeTree } from "../normalize-tree.js";
import { locationOf, type PageRender, type RenderTools, type SharedHtml } from "../page-render.js";
import type { RecordedIds } from "../render-collector.js";
import { renderComponent } from "../render-component.js";
import { fence, fenceOf, formula, holdsFence, isFenceComponent } from "./code.js";
import { createElement, createHeading } from "./element.js";
import { inParagraphs } from "./paragraph.js";

/** A tag of the page: a built-in component, an element or an unknown name. */
export const jsx: Handler<JsxElement> = (state, node) => {
  if (node.name === null) return node.data?.shared ? sharedContent(state, node) : state.all(node);
  const page = pageOf(state);
  const definition = page.context.tools.components.get(node.name);
  if (node.name === "Heading") return createHeading(state, node);
  if (isFenceComponent(node)) return holdsFence(node) ? state.all(node) : renderFenceComponent(page, node);
  if (definition) return renderComponent(state, node, definition);
  const name = elementName(node.name) ?? (isDropped(node.name) ? node.name.toLowerCase() : undefined);
  if (name !== undefined) return createElement(state, node, name);
  reportUnknown(state, node, node.name);
  return node.type === "mdxJsxFlowElement" ? inParagraphs(state.all(node)) : state.all(node);
};

/** Code, a diagram or a formula. A formula in a sentence stays inline. */
function renderFenceComponent(page: PageRender, node: JsxElement): ElementContent {
  const code = fenceOf(node);
  if (node.name === "Latex" && node.type === "mdxJsxTextElement") return formula(page, code.value, false, code);
  return fence(page, code).node;
}

function reportUnknown(state: State, node: JsxElement, name: string): void {
  const page = pageOf(state);
  const names = page.context.tools.components;
  const snippet = importOf(page, name);
  const { sourcePath } = locationOf(page, node);
  const own = namesInFile(page, sourcePath);
  const near = snippet
    ? undefined
    : (likelyName(
        name,
        own.filter((each) => each !== name),
      ) ?? likelyName(name, names.keys()));
  page.collector.diagnostics.push({
    ...warningOf("UNKNOWN_COMPONENT"),
    what: `<${name}> is not a component or an HTML element; only its content is shown.`,
    location: locationOf(page, node),
    fix: /^(?:snippet|include|import)$/i.test(name)
      ? 'write <Snippet file="…" /> with the path of the file in snippets/.'
      : near
        ? `write <${near.name}>.`
        : (snippet ??
          (/^[a-z]/.test(name)
            ? `write \\<${name}> and \\</${name}> to show the tags as text, or remove them.`
            : "import or define it, or remove the tag.")),
    ...(near && { rewrites: renamedTag(node, name, near.name, near.certain) }),
    cause: name,
    about: [`${sourcePath} ${name.split(".")[0]}`],
  });
}

const namesByPage = rememberedFor((_: object) => createMemo<readonly string[]>());

/** The names of components that a file of a page imports or exports. */
const namesInFile = ({ context, collector }: PageRender, sourcePath: string): readonly string[] =>
  namesByPage(collector)(sourcePath, () => {
    const starts = (context.tools.readText(sourcePath) ?? "").match(/^(?:import|export)\b[^\n'"=;]*/gm) ?? [];
    return starts.flatMap((start) => start.match(/\b[A-Z]\w*/g) ?? []);
  });

/** The import that the page lacks, if a snippet has the name of the component. */
function importOf({ context }: PageRender, name: string): string | undefined {
  const kebab = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "-").toLowerCase();
  const paths = [...new Set([kebab, name])].flatMap((file) => [`snippets/${file}.mdx`, `snippets/${file}.jsx`]);
  for (const path of /^[A-Z]\w*$/.test(name) ? paths : []) {
    const text = context.tools.readText(path);
    if (text === undefined) continue;
    const isNamed = new RegExp(`^export +(?!default\\b)[^\\n=(]*\\b${name}\\b`, "m").test(text);
    return `write import ${isNamed ? `{ ${name} }` : name} from "/${path}"; at the top of the page.`;
  }
  return undefined;
}

/** Renders a fragment of several pages once, to a string that each page reuses if its ids are free there. */
function sharedContent(state: State, node: JsxElement): ElementContent[] {
  const { context, collector } = pageOf(state);
  const { tools } = context;
  const { sharedHtml } = tools;
  const cached = sharedHtml.get(node);
  if (cached && collector.ids.repeat(cached.ids)) return [rawOf(cached)];
  if (sharedHtml.has(node)) return state.all(node);
  const before = collector.traceCount;
  const titles = new Map(collector.sectionTitles);
  const { result, ids } = collector.ids.record(() => state.all(node));
  // Ids had to be changed on this page; on another they may be free.
  if (ids === undefined) return result;
  if (collector.traceCount !== before) {
    sharedHtml.set(node, undefined);
    return result;
  }
  const ownTitles = new Map([...collector.sectionTitles].filter(([id]) => !titles.has(id)));
  for (const id of ownTitles.keys()) collector.sectionTitles.delete(id);
  const shared = writeShared(result, ids, ownTitles, tools);
  sharedHtml.set(node, shared);
  return [rawOf(shared)];
}

const rawOf = ({ html, sections }: SharedHtml): ElementContent => ({ ...raw(html), data: { sections } });

function writeShared(
  children: ElementContent[],
  ids: RecordedIds,
  sectionTitles: Map<string, string>,
  tools: RenderTools,
): SharedHtml {
  const root: Root = { type: "root", children };
  const sections = collectSections(root, { toc: [], sectionTitles, lead: [], panelTexts: [] });
  normalizeTree(root, tools);
  return { html: writeHtml(root), ids, sections };
}
