import type { Link, List, ListItem, Nodes, Parents, PhrasingContent, Root, RootContent, Table } from "mdast";
import * as md from "../../../lib/markdown.js";
import { oneLine } from "../../../lib/plain-text.js";
import type { Island, JsxElement, ParseError, PropValue } from "../../../page/content/index.js";
import type { LoadedKind } from "../../../site/links/index.js";
import * as components from "./component-writer.js";
import { blockComponents, inlineComponents } from "./components.js";
import { linkLabel, markdownLine, outdent, outdentText, singleLine, trimParagraph } from "./markdown.js";
import { type Changed, findChanged, type PageSources, type ResolveUrl } from "./source-text.js";

/** Deeper than any page written by hand; below this depth only the text is kept. */
const deepestMarkup = 200;

/** Writes a page's tree as Markdown. Plain Markdown is copied; only what differs from the source is written again. */
export class MarkdownWriter implements components.ContentWriter {
  readonly #changed: Changed;
  /** Block quotes around the current node, by the file they were written in. */
  readonly #quotes = new Map<string, number>();
  #depth = 0;

  /** @param shared text of fragments that several pages contain, kept from page to page. */
  constructor(
    private readonly root: Root,
    private readonly sources: PageSources,
    private readonly resolve: ResolveUrl,
    private readonly shared: WeakMap<object, string>,
  ) {
    this.#changed = findChanged(root, sources, resolve, (node) => shared.has(node));
  }

  /** The whole page. Consecutive plain blocks are one slice of the source. */
  body(skip?: RootContent): string {
    const parts: string[] = [];
    const page = this.sources.get(this.sources.sourcePath)!.text;
    let [from, to] = [-1, -1];
    const flush = () => {
      if (from >= 0) parts.push(page.slice(from, to));
      from = -1;
    };
    let pending: RootContent[] = [];
    const write = () => {
      if (pending.length > 0) parts.push(this.blocks(pending));
      pending = [];
    };
    for (const node of this.root.children) {
      if (node === skip) continue;
      const position = this.#isPlainBlock(node) ? node.position : undefined;
      const start = position?.start.offset;
      if (start === undefined) {
        flush();
        pending.push(node);
        continue;
      }
      write();
      if (from >= 0 && page.slice(to, start).trim() !== "") flush();
      if (from < 0) from = start;
      to = position!.end.offset!;
    }
    flush();
    write();
    return parts.filter((part) => part !== "").join("\n\n");
  }

  /** An unchanged block of the page's own file that starts its line. */
  #isPlainBlock(node: RootContent): boolean {
    return (
      node.position?.start.column === 1 &&
      !this.#changed.has(node) &&
      this.sources.pathOf(node) === this.sources.sourcePath
    );
  }

  /** Blocks with a blank line between them; consecutive inline nodes become paragraphs. */
  blocks(nodes: readonly Nodes[], separator?: (previous: Nodes, next: Nodes) => string): string {
    let out = "";
    let previous: Nodes | undefined;
    let run: Nodes[] = [];
    const add = (text: string, node: Nodes) => {
      if (text === "") return;
      out += previous === undefined ? text : (separator?.(previous, node) ?? "\n\n") + text;
      previous = node;
    };
    const endRun = () => {
      if (run.length > 0) add(trimParagraph(this.inline(run)), run[0]!);
      run = [];
    };
    for (const node of nodes) {
      if (isPhrasing(node)) run.push(node);
      else {
        endRun();
        add(this.#block(node), node);
      }
    }
    endRun();
    return out;
  }

  /** Parts of a sentence; blocks among them are put on one line. */
  inline(nodes: readonly Nodes[]): string {
    let out = "";
    let isGone = false;
    for (const node of nodes) {
      const text = isPhrasing(node) ? this.#inline(node) : components.blockInLine(this.#block(node));
      // The spaces on both sides of a node without text, such as an icon, become one.
      out += isGone && out.endsWith(" ") ? text.replace(/^ +/, "") : text;
      isGone = text === "";
    }
    return out;
  }

  prop(value: PropValue): string {
    if (typeof value === "string") return markdownLine(value);
    if (typeof value === "number") return String(value);
    if (Array.isArray(value)) return value.map((each) => this.prop(each as PropValue)).join("");
    if (components.isJsxTree(value)) return singleLine(this.inline(value.children));
    return "";
  }

  href(value: PropValue, element: JsxElement, kind?: LoadedKind): string | undefined {
    const url = typeof value === "string" ? value.trim() : "";
    return url === "" || components.runsCode(url)
      ? undefined
      : (this.resolve(url, this.sources.pathOf(element), kind) ?? url);
  }

  #block(node: Nodes): string {
    if (!this.#changed.has(node)) return this.#slice(node) ?? this.#newBlock(node);
    if (this.#depth >= deepestMarkup) return markdownLine(components.plainText([node]));
    this.#depth++;
    const text = this.#newBlock(node);
    this.#depth--;
    return text;
  }

  #slice(node: Nodes): string | undefined {
    const slice = this.sources.slice(node);
    if (slice === undefined || !slice.includes("\n")) return slice;
    const sourcePath = this.sources.pathOf(node);
    const quotes = this.#quotes.get(sourcePath) ?? 0;
    if (node.position!.start.column === 1 && quotes === 0) return slice;
    return outdent(slice, this.sources.get(sourcePath)!.linePrefix(node.position!.start.offset!), quotes);
  }

  #newBlock(node: Nodes): string {
    switch (node.type) {
      case "root":
      case "islandSlot":
        return this.blocks(node.children);
      case "paragraph":
        return node.children.some(isBlockElement)
          ? this.blocks(node.children)
          : trimParagraph(this.inline(node.children));
      case "heading":
        return `${"#".repeat(node.depth)} ${singleLine(this.inline(node.children))}`;
      case "blockquote":
        return md.quote(this.#quoted(node));
      case "list":
        return this.#list(node);
      case "table":
        return this.#table(node);
      case "code":
        return md.fence([node.lang, node.meta].filter(Boolean).join(" "), node.value);
      case "math":
        return `$$\n${node.value}\n$$`;
      case "thematicBreak":
        return "---";
      case "definition":
        return md.definition(node.label ?? node.identifier, this.#changed.urls.get(node) ?? node.url, node.title);
      case "footnoteDefinition":
        return md.footnote(node.label ?? node.identifier, this.blocks(node.children));
      case "html":
        return components.withoutTags(node.value).trim();
      case "mdxJsxFlowElement":
      case "mdxJsxTextElement":
        return this.#element(node);
      case "island":
        return [islandNote(node), this.blocks(node.children)].filter(Boolean).join("\n\n");
      case "parseError":
        return parseErrorNote(node, this.sources.sourcePath);
    }
    return isPhrasing(node) ? this.#inline(node).trim() : "";
  }

  /** The address of a link in this output. Those in the props of generated components are not in the tree that is read first. */
  #addressOf(node: Link): string {
    const known = this.#changed.urls.get(node);
    return known ?? (node.position ? undefined : this.resolve(node.url, this.sources.pathOf(node))) ?? node.url;
  }

  #quoted(node: Parents): string {
    const sourcePath = this.sources.pathOf(node);
    const before = this.#quotes.get(sourcePath) ?? 0;
    this.#quotes.set(sourcePath, before + 1);
    const text = this.blocks(node.children);
    this.#quotes.set(sourcePath, before);
    return text;
  }

  #list(list: List): string {
    const separator = list.spread || list.children.some((item) => item.spread) ? "\n\n" : "\n";
    return list.children.map((item, i) => this.#listItem(list, item, i)).join(separator);
  }

  #listItem(list: List, item: ListItem, index: number): string {
    const written = this.sources.slice(item)?.[0] ?? "";
    const bullet = /[-*+]/.test(written) ? written : "-";
    const marker = list.ordered ? `${(list.start ?? 1) + index}. ` : `${bullet} `;
    const box = typeof item.checked === "boolean" ? `[${item.checked ? "x" : " "}] ` : "";
    const content = this.blocks(item.children, (previous, next) =>
      !item.spread && previous.type === "paragraph" && (next.type === "list" || next.type === "code") ? "\n" : "\n\n",
    );
    return md.listItem(marker, box + content);
  }

  #table(table: Table): string {
    const rows = table.children.map((row) => row.children.map((cell) => this.cell(cell.children)));
    return md.markdownTable(rows, table.align ?? []);
  }

  cell(nodes: readonly Nodes[]): string {
    const text = this.inline(nodes).trim().replace(/\\\n/g, "<br>");
    return oneLine(text).replace(/\\?\|/g, "\\|");
  }

  #inline(node: Nodes): string {
    if (!this.#changed.has(node)) {
      const slice = this.sources.slice(node);
      if (slice !== undefined) return outdentText(slice, this.#quotes.get(this.sources.pathOf(node)) ?? 0);
    }
    if (this.#depth >= deepestMarkup) return markdownLine(components.plainText([node]));
    this.#depth++;
    const text = this.#newInline(node as PhrasingContent);
    this.#depth--;
    return text;
  }

  #newInline(node: PhrasingContent): string {
    switch (node.type) {
      case "emphasis":
        return md.wrap("*", this.inline(node.children));
      case "strong":
        return md.wrap("**", this.inline(node.children));
      case "delete":
        return md.wrap("~~", this.inline(node.children));
      case "link":
        return this.#link(node.children, this.#addressOf(node), node.title);
      case "image":
        return `!${md.markdownLink(linkLabel(node.alt ?? ""), this.#changed.urls.get(node) ?? node.url, node.title)}`;
      case "linkReference":
        return `[${this.inline(node.children)}][${node.label ?? node.identifier}]`;
      case "mdxJsxTextElement":
        return this.#element(node);
    }
    return ("children" in node ? this.inline(node.children) : "") || inlineLeaf(node);
  }

  #link(children: readonly Nodes[], url: string, title?: string | null): string {
    const label = singleLine(this.inline(children));
    return components.runsCode(url) ? label : md.markdownLink(label, url, title);
  }

  #shared(element: JsxElement): string {
    const known = this.shared.get(element);
    if (known !== undefined) return known;
    const text = this.blocks(element.children);
    this.shared.set(element, text);
    return text;
  }

  #element(element: JsxElement): string {
    const name = element.name ?? "";
    const write = components.lookUp(blockComponents, name) ?? components.lookUp(inlineComponents, name);
    if (write !== undefined) return write(components.componentOf(element, this));
    if (element.data?.shared) return this.#shared(element);
    const children = components.contentOf(element);
    return element.type === "mdxJsxFlowElement" ? this.blocks(children) : this.inline(children);
  }
}

/** Writes an inline node without children; empty for any other node. */
function inlineLeaf(node: PhrasingContent): string {
  switch (node.type) {
    case "text":
      return node.value.replace(/\\?<(?=[A-Za-z/!?])/g, "\\<");
    case "inlineCode":
      return md.codeSpan(node.value);
    case "inlineMath":
      return `$${node.value}$`;
    case "break":
      return "\\\n";
    case "imageReference":
      return `![${linkLabel(node.alt ?? "")}][${node.label ?? node.identifier}]`;
    case "footnoteReference":
      return `[^${node.label ?? node.identifier}]`;
    case "html":
      return components.withoutTags(node.value);
    case "island":
      return node.name === undefined ? "" : md.codeSpan(node.name);
  }
  return "";
}

/** Empty for a component whose content is known. */
const islandNote = ({ name, outcome }: Island): string =>
  name === undefined || outcome === "static" || outcome === "live"
    ? ""
    : `*(Interactive: ${md.codeSpan(name)}, shown on the page only.)*`;

function parseErrorNote({ line, column, reason }: ParseError, sourcePath: string): string {
  const location = [sourcePath, line, column].filter((part) => part !== undefined).join(":");
  return md.quote(`**This page could not be read.** ${markdownLine(reason)} (${location})`);
}

const phrasing = new Set(
  (
    "text emphasis strong delete inlineCode inlineMath break link image linkReference imageReference " +
    "footnoteReference html"
  ).split(" "),
);

/** Whether a node is part of a sentence. Block components never are. */
function isPhrasing(node: Nodes): boolean {
  if (node.type === "mdxJsxTextElement") return !isBlockElement(node);
  if (node.type === "island") return node.inline;
  if (node.type === "islandSlot") return node.children.every(isPhrasing);
  return phrasing.has(node.type);
}

const isBlockElement = (node: Nodes): boolean =>
  node.type === "mdxJsxTextElement" && components.lookUp(blockComponents, node.name ?? "") !== undefined;
