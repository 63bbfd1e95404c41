/** Reads the pages of a site, one at a time and synchronously. Files that pages share are cached. */
import type { Root, RootContent } from "mdast";
import { type Diagnostic, type Location, warningOf } from "../../lib/diagnostic/index.js";
import { withoutIndent } from "../../lib/plain-text.js";
import { createSlugger, headingSlug } from "../../lib/url/index.js";
import type { SiteSettings } from "../../site/config/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { Expander } from "./expand/expander.js";
import type { ExpansionOptions } from "./expand/expansion.js";
import { islandSources } from "./expand/islands.js";
import { createExpressionReader } from "./expressions/estree.js";
import { nodeLocation } from "./location.js";
import { createModules, createNearestFile } from "./modules.js";
import type { JsxElement, PageContent } from "./page-content.js";
import { createPageState } from "./page-state.js";
import {
  loadParsers,
  type MarkdownParsers,
  MarkdownSyntaxError,
  type ParseApart,
  type ParserName,
} from "./parse/markdown-parsers.js";
import { ParserLimitError } from "./parse/parser-limits.js";

export interface ContentOptions {
  readonly files: SiteFiles;
  readonly config: Pick<SiteSettings, "variables" | "styling">;
  /** `remark`: the reference parsers, fifty times slower. */
  readonly parser?: ParserName;
  /** Parses what could take long. Default: starts a process. */
  readonly parseApart?: ParseApart | undefined;
  /** Called with the processor time of each parse in another process, in milliseconds. */
  readonly spend?: ((ms: number) => void) | undefined;
  /** Names of the built-in components. */
  readonly markdownComponents: ReadonlySet<string>;
  /** The properties that a built-in component reads; undefined if unknown. Default: unknown for all. */
  readonly propNamesOf?: (component: string) => ReadonlySet<string> | undefined;
  /** Whether HTML has an element of this name. Default: it has every name in lower case. */
  readonly isElement?: (name: string) => boolean;
  /** The components that a built-in component is made of: `Step` of `Steps`. Default: none. */
  readonly itemsOf?: (component: string) => readonly string[];
}

export interface ContentReader {
  /**
   * One page, ready to render. `generated.text` is read instead of the file.
   *
   * Out:   see `PageContent`. `snippets` are the other files it is made of.
   * Fails: a mistake in the page is never thrown; a page that does not parse has `ok: false` and says why.
   *
   * @throws {Error} naming the file if it or a snippet cannot be read.
   */
  read(page: { readonly sourcePath: string; readonly generated?: { readonly text: string } }): PageContent;
  /** A short text (a caption, a banner) as a tree without positions or anchors. Invalid MDX is read as Markdown. */
  readInline(markdown: string): Root;
  /** Untrusted Markdown, such as a description in a specification, as blocks without positions. It is not MDX. */
  readForeign(markdown: string): RootContent[];
}

/** Loads the parsers. Each thread has its own reader. */
export async function createContentReader(options: ContentOptions): Promise<ContentReader> {
  const { files, config } = options;
  const parsers = await loadParsers(options.parser ?? "satteri", options.parseApart, options.spend);
  const latex = config.styling.latex !== false;
  const shared: ExpansionOptions = {
    files,
    nearestFile: createNearestFile(files),
    modules: createModules(files, parsers, {
      latex,
      isKnown: (name) => options.markdownComponents.has(name) || (options.isElement ?? isLowerCase)(name),
      ...(options.itemsOf && { itemsOf: options.itemsOf }),
    }),
    builtIns: options.markdownComponents,
    propNamesOf: options.propNamesOf,
    readExpression: createExpressionReader(),
    variables: config.variables,
    latex,
    parseTag(source) {
      try {
        return parsers.parseMdx(source).children;
      } catch (error) {
        if (error instanceof MarkdownSyntaxError || error instanceof ParserLimitError)
          return [{ type: "text", value: source }];
        throw error;
      }
    },
  };
  const expand = (sourcePath: string, source?: string) => {
    const module = shared.modules.readPage(sourcePath, source);
    const page = createPageState(module);
    const tree = new Expander(page, shared).expandPage(module);
    return { page, tree, ok: module.parsed.ok };
  };
  return {
    read({ sourcePath, generated }) {
      const { page, tree, ok } = expand(sourcePath, generated?.text);
      for (const hint of headingHints(assignHeadingIds(tree), sourcePath)) page.report(hint);
      const islands = page.islands.length === 0 ? {} : { islands: islandSources(page, shared) };
      return { tree, ok, snippets: [...page.snippets].sort(), diagnostics: page.diagnostics, ...islands };
    },
    readInline(markdown) {
      const { tree, ok } = expand("inline.md", markdown);
      return ok
        ? { type: "root", children: withoutPositions(tree.children) }
        : { type: "root", children: [{ type: "text", value: markdown }] };
    },
    readForeign: (markdown) => readForeignMarkdown(parsers, markdown),
  };
}

const isLowerCase = (name: string): boolean => name === name.toLowerCase();

/** Positions in a property would be taken for positions in the page. */
const withoutPositions = (nodes: readonly RootContent[]): RootContent[] =>
  nodes.map((node) => {
    const { position: _, ...copy } = node;
    if ("children" in copy) (copy as { children: unknown }).children = withoutPositions(copy.children as RootContent[]);
    return copy as RootContent;
  });

/**
 * Sets `data.id` of every heading of a finished tree, `<h2>` in JSX included: the id that the author wrote, or one made
 * from the text, unique in the page. Headings in properties and descriptions get theirs while they are rendered, since
 * only then it is known which components around them take an id. Changes the tree.
 */
function assignHeadingIds(tree: Root): readonly PageHeading[] {
  const headings: PageHeading[] = [];
  collect(tree.children, headings);
  const slugger = createSlugger();
  for (const { written } of headings) if (written !== undefined) slugger.unique(written);
  for (const { node, written } of headings) {
    const id = written ?? slugger.unique(headingSlug(visibleText(node)) || "section");
    node.data = { ...node.data, id };
  }
  return headings;
}

/** A heading that begins with code names a function, of which a reference may list several forms. */
const isName = (node: RootContent): boolean =>
  "children" in node && (node.children as RootContent[])[0]?.type === "inlineCode";

interface PageHeading {
  readonly node: RootContent;
  /** The id that the author wrote. */
  readonly written: string | undefined;
  /** The element that it is in, such as one of several tabs; undefined outside of all. */
  readonly around: RootContent | undefined;
}

/**
 * The rules MD001 and MD024 of markdownlint, the latter for headings of one section. The title of the page is its heading of
 * level 1.
 */
function headingHints(headings: readonly PageHeading[], pagePath: string): Diagnostic[] {
  const hints: Diagnostic[] = [];
  let level = 1;
  /** Places by id that the author wrote, and by text below the headings around. */
  const byId = new Map<string, Location>();
  const elements = new Map<RootContent | undefined, number>();
  const sections: Map<string, { readonly location: Location; readonly id: string }>[] = [];
  const reportTwice = ({ node, written, around }: PageHeading, depth: number, location: Location): void => {
    sections.length = Math.min(sections.length, depth + 1);
    const siblings: (typeof sections)[number] = sections[depth] ?? new Map();
    sections[depth] = siblings;
    if (!elements.has(around)) elements.set(around, elements.size);
    const text = visibleText(node).trim();
    const key = `${text}\n${elements.get(around)}`;
    const id = node.data?.id ?? "";
    const sameId = written === undefined ? undefined : byId.get(written);
    const sameText = written === undefined && text !== "" ? siblings.get(key) : undefined;
    if (sameId) {
      const what = `Two headings have the ID "${id}"; links to it always open the first one.`;
      const related = { location: sameId, what: "the first one" };
      hints.push({ ...warningOf("HEADING_TWICE"), what, location, related, fix: "give this heading a different ID." });
    } else if (sameText && node.data?.sourcePath === undefined && !isName(node)) {
      const what = `Two headings in the same section read "${text.slice(0, 80)}"; this one gets the anchor #${id}, which changes if they are reordered.`;
      const related = { location: sameText.location, what: `this one has the anchor #${sameText.id}` };
      const fix = "make the headings different, or add an explicit ID at the end of this one: {#name}.";
      hints.push({ code: "HEADING_TWICE", severity: "hint", what, location, related, fix });
    }
    if (written !== undefined && !sameId) byId.set(written, location);
    if (!siblings.has(key)) siblings.set(key, { location, id });
  };
  for (const heading of headings) {
    const { node } = heading;
    const depth = node.type === "heading" ? node.depth : Number((node as JsxElement).name?.[1]);
    const { start, end } = node.position ?? {};
    const length = start && end && start.line === end.line ? end.column - start.column : depth;
    const location = { ...nodeLocation(node, node.data?.sourcePath ?? pagePath), length };
    if (depth > level + 1) {
      const what = `This heading has level ${depth}, but the one before it has level ${level}.`;
      const fix = `write ${node.type === "heading" ? "#".repeat(level + 1) : `<h${level + 1}>`}.`;
      hints.push({ code: "HEADING_LEVEL_SKIPPED", severity: "hint", what, location, fix });
    }
    level = depth;
    reportTwice(heading, depth, location);
  }
  return hints;
}

function collect(nodes: readonly RootContent[], out: PageHeading[], around?: RootContent): void {
  for (const node of nodes) {
    if (node.type === "heading") out.push({ node, written: node.data?.id, around });
    else if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
      if (/^h[1-6]$/.test((node as JsxElement).name ?? "")) {
        const id = node.data?.props?.["id"];
        out.push({ node, written: typeof id === "string" && id !== "" ? id : undefined, around });
      } else collect(node.children as RootContent[], out, node);
    } else if ("children" in node && node.type !== "paragraph" && node.type !== "table") {
      collect(node.children as RootContent[], out, around);
    }
  }
}

/** The text a reader sees: words, code, formulas, alternative texts. */
function visibleText(node: RootContent): string {
  if ("value" in node) return node.type === "html" ? "" : (node.value ?? "");
  if ("alt" in node && typeof node.alt === "string") return node.alt;
  if (!("children" in node)) return "";
  return node.children.map((child) => visibleText(child as RootContent)).join("");
}

/** Elements that are allowed. Others, and text that only looks like a tag (`<token>`), are shown as typed. */
const allowedElements = new Set(
  (
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del details dfn " +
    "div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark nobr ol p pre q rp rt ruby " +
    "s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr"
  ).split(" "),
);

/** Deeper Markdown is shown as text. */
const maxDepth = 40;

/** A text that is dangerous to parse (thousands of nested brackets) becomes one paragraph. */
function readForeignMarkdown(parsers: MarkdownParsers, markdown: string): RootContent[] {
  if (!isSuspicious(markdown))
    try {
      const wrappers = wrappersIn(markdown);
      return calloutParts(withoutSizes(markdown)).flatMap(({ name, title, text }) => {
        const nodes = parsers.parseMarkdown(text).children.map((node) => cleaned(node, 0, wrappers));
        return name === undefined ? nodes : [calloutNode(name, title, nodes)];
      });
    } catch (error) {
      if (!(error instanceof ParserLimitError)) throw error;
    }
  return [{ type: "paragraph", children: [{ type: "text", value: markdown }] }];
}

/** The parts of a text; those between `<Note>` at the start of a line and `</Note>`, and so on, have the name of a callout. */
function calloutParts(markdown: string): CalloutPart[] {
  const parts: CalloutPart[] = [];
  const fences = [...markdown.matchAll(/^[ \t]*(?:```|~~~)/gm)].map(({ index }) => index);
  let end = 0;
  let fencesBefore = 0;
  for (const { 0: tag, 1: name, 2: attributes = "", index } of markdown.matchAll(calloutTag)) {
    while (fences[fencesBefore]! < index) fencesBefore++;
    if (index < end || fencesBefore % 2 === 1) continue;
    const close = markdown.indexOf(`</${name}>`, index);
    if (close < 0) break;
    parts.push({ text: markdown.slice(end, index) });
    parts.push({
      name: name === "Callout" ? (themes.get(/theme="(\w+)"/.exec(attributes)?.[1]) ?? "Note") : name!,
      title: /\btitle="([^"]*)"/.exec(attributes)?.[1],
      text: withoutIndent(markdown.slice(index + tag.length, close)),
    });
    end = close + name!.length + 3;
  }
  return [...parts, { text: markdown.slice(end) }];
}

interface CalloutPart {
  readonly name?: string;
  readonly title?: string | undefined;
  readonly text: string;
}
const calloutTag = /^[ \t]*<(Note|Tip|Info|Warning|Check|Danger|Callout)([ \t][^<>\n]*)?(?<!\/)>/gm;
/** Callouts of ReadMe have a theme. */
const themes: ReadonlyMap<string | undefined, string> = new Map([
  ["info", "Info"],
  ["warn", "Warning"],
  ["error", "Danger"],
  ["okay", "Check"],
]);

const calloutNode = (name: string, title: string | undefined, children: RootContent[]): RootContent =>
  ({ type: "mdxJsxFlowElement", name, attributes: [], children, data: { props: { title } } }) as RootContent;

/** Images as markdown-it and other tools size them, `![a](b.png =20x30)`, would be shown as typed. */
const withoutSizes = (markdown: string): string =>
  markdown.includes(" =") ? markdown.replace(sizedImage, "$1") : markdown;
const sizedImage = /(!\[[^\]\n]{0,300}\]\([^()\s]{1,2000}) {1,9}=\d{1,5}(?:px|%)?(?:x(?:\d{1,5}(?:px|%)?)?)?(?=\))/g;

/** Nesting costs the native parser time and stack. */
const isSuspicious = (markdown: string): boolean => /[>[(!]{200}|(?:[-*+>][ \t]+){200}|[*_~]{500}/.test(markdown);

function cleaned(node: RootContent, depth: number, wrappers: ReadonlySet<string>): RootContent {
  if (node.type === "html") return cleanedHtml(node.value, wrappers);
  const { position: _, ...copy } = node;
  if ("children" in copy)
    (copy as { children: unknown }).children =
      depth < maxDepth
        ? (copy.children as RootContent[]).map((child) => cleaned(child, depth + 1, wrappers))
        : [{ type: "text", value: visibleText(node) }];
  return copy as RootContent;
}

/**
 * Elements whose tags would be shown as typed although they only wrap text: callouts of pages, such as `<Note>…</Note>`,
 * and unknown ones around HTML, such as `<note><p>…</p></note>`.
 */
function wrappersIn(html: string): ReadonlySet<string> {
  const names = [...html.matchAll(/<\/([A-Za-z][\w-]*)\s*>/g)].map(([, name]) => name!);
  const isElement = (name: string): boolean => allowedElements.has(name.toLowerCase());
  const isHtml = names.some(isElement);
  const wrappers = names.filter(
    (name) =>
      !isElement(name) &&
      (isHtml ? !/^(?:script|style)$/i.test(name) : /^(?:Note|Tip|Info|Warning|Check|Danger|Callout)$/.test(name)),
  );
  return new Set(wrappers.map((name) => name.toLowerCase()));
}

/** HTML with the allowed tags, or text if it has none. */
function cleanedHtml(html: string, wrappers: ReadonlySet<string>): RootContent {
  let hasTag = false;
  const value = html.replace(
    // A comment without an end ends with the text, which also keeps this linear.
    /<!--[\s\S]*?(?:-->|$)|<(\/?)([A-Za-z][\w-]*)((?:[\s/][^<>]*)?)>|</g,
    (written, slash: string | undefined, name: string | undefined, attributes: string | undefined) => {
      if (written.startsWith("<!--")) return "";
      const element = name?.toLowerCase() ?? "";
      const isWrapper = wrappers.has(element);
      if (!isWrapper && !allowedElements.has(element)) return `&lt;${written.slice(1)}`;
      hasTag = true;
      return isWrapper ? "" : `<${slash}${name}${attributes}>`;
    },
  );
  return hasTag ? { type: "html", value } : { type: "text", value: html.replace(/<!--[\s\S]*?(?:-->|$)/g, "") };
}
