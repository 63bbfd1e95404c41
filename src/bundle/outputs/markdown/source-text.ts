import type { Code, Nodes, Parents, Root } from "mdast";
import type { LoadedKind } from "../../../site/links/index.js";
import { outdent } from "./markdown.js";

/** A source file of the page. */
class SourceText {
  /** Offsets of every `{` and of every `<` that may begin a tag, ascending: everything but Markdown begins with these. */
  readonly #marks: number[] = [];

  constructor(readonly text: string) {
    for (const { index } of text.matchAll(/\{|<(?=[A-Za-z!/>])/g)) this.#marks.push(index);
  }

  /** Whether an expression, a tag or a comment may begin at or after `start` and before `end`. */
  hasMark(start: number, end: number): boolean {
    let low = 0;
    let high = this.#marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#marks[middle]! < start) low = middle + 1;
      else high = middle;
    }
    return low < this.#marks.length && this.#marks[low]! < end;
  }

  /** The text before `offset` on its line. */
  linePrefix(offset: number): string {
    return this.text.slice(this.text.lastIndexOf("\n", offset - 1) + 1, offset);
  }
}

/** Text of the page and of the files that it includes, read on demand. */
export class PageSources {
  readonly #files = new Map<string, SourceText | undefined>();

  constructor(
    readonly sourcePath: string,
    source: string,
    private readonly readSource: (sourcePath: string) => string | undefined,
  ) {
    this.#files.set(sourcePath, new SourceText(source));
  }

  pathOf(node: Nodes): string {
    return node.data?.sourcePath ?? this.sourcePath;
  }

  get(sourcePath: string): SourceText | undefined {
    if (this.#files.has(sourcePath)) return this.#files.get(sourcePath);
    const text = this.readSource(sourcePath);
    const file = text === undefined ? undefined : new SourceText(text);
    this.#files.set(sourcePath, file);
    return file;
  }

  /** The source text of a node; undefined for a node without a position. */
  slice(node: Nodes): string | undefined {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) return undefined;
    return this.get(this.pathOf(node))?.text.slice(start, end);
  }
}

/** Returns a link's new target, or undefined to leave it. With a `kind` the page loads it. */
export type ResolveUrl = (url: string, sourcePath: string, kind?: LoadedKind) => string | undefined;

/** What the writer needs to know before it starts. */
export interface Changed {
  /** Whether the source text of a node cannot be copied: it or something in it must be written again. */
  readonly has: (node: Nodes) => boolean;
  /** New targets of links, images and definitions. */
  readonly urls: ReadonlyMap<Nodes, string>;
}

/**
 * Marks what differs between the tree and the source. It uses a stack of its own, so that a tree may have any depth, and
 * its time grows linearly with the number of nodes.
 *
 * @param isKnown whether a node's text is already known, so that its children are skipped.
 */
export function findChanged(
  root: Root,
  sources: PageSources,
  resolve: ResolveUrl,
  isKnown: (node: Nodes) => boolean,
): Changed {
  const nodes = new Set<Nodes>();
  // Generated nodes have no source text.
  const has = (node: Nodes): boolean => node.position === undefined || nodes.has(node);
  const urls = new Map<Nodes, string>();
  const path: Level[] = [levelOf(root, sources)];

  const markPath = () => {
    for (let i = path.length - 1; i >= 0 && !has(path[i]!.node); i--) nodes.add(path[i]!.node);
  };
  while (path.length > 0) {
    const level = path[path.length - 1]!;
    const node = level.node.children[level.next++] as Nodes | undefined;
    if (node === undefined) {
      path.pop();
      continue;
    }
    const sourcePath = sources.pathOf(node);
    if (sourcePath !== level.sourcePath) markPath();
    const overlapped = overlap(level, node, sourcePath);
    if (overlapped !== undefined) nodes.add(overlapped);
    if ("url" in node) {
      // A definition may be that of a picture, and a link to an embedded picture may lead to its copy too.
      const url = resolve(node.url, sourcePath, node.type === "link" ? undefined : "image");
      if (url !== undefined) urls.set(node, url);
    }
    if (node.position === undefined) markPath();
    else if (overlapped !== undefined || urls.has(node) || isChanged(node, sources.get(sourcePath))) {
      nodes.add(node);
      markPath();
    }
    if ("children" in node && node.children.length > 0 && !isKnown(node)) path.push(levelOf(node, sources));
  }
  return { has, urls };
}

/** An open node of the walk. */
interface Level {
  readonly node: Parents;
  readonly sourcePath: string;
  /** Index of the next child. */
  next: number;
  /** The child that ends last in each file, so far; absent before a child with a position. */
  reached?: Map<string, Nodes>;
}

const levelOf = (node: Parents, sources: PageSources): Level => ({
  node,
  sourcePath: sources.pathOf(node),
  next: 0,
});

/**
 * The previous sibling if it covers a part of the same text. Both then have the position of something that was split (a
 * paragraph with a block in it, a text with a formula in it), so the source text belongs to neither.
 */
function overlap(level: Level, node: Nodes, sourcePath: string): Nodes | undefined {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) return undefined;
  level.reached ??= new Map();
  const before = level.reached.get(sourcePath);
  const reached = before?.position?.end.offset ?? 0;
  if (end >= reached) level.reached.set(sourcePath, node);
  return start < reached ? before : undefined;
}

function isChanged(node: Nodes, file: SourceText | undefined): boolean {
  switch (node.type) {
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
    case "html":
    case "island":
    case "islandSlot":
    case "parseError":
      return true;
  }
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (file === undefined || start === undefined || end === undefined) return true;
  if (node.type === "code" && isOpen(file.text.slice(start, end))) return true;
  if (!file.hasMark(start, end)) return false;
  switch (node.type) {
    case "text":
      return isFilled(file.text.slice(start, end), node.value);
    case "inlineCode":
    case "inlineMath":
    case "math":
      return !file.text.slice(start, end).includes(node.value);
    case "code":
      return !holdsCode(node, file, start, end);
    case "link":
    case "image":
    case "definition":
      return true;
  }
  return "children" in node && hasGap(node, file, start, end);
}

/** Whether a value was inserted or a comment removed; `\{` is a literal brace. */
const isFilled = (slice: string, value: string): boolean => slice !== value && /(?<!\\)\{|<!--/.test(slice);

/** Whether a fence has no closing line: the end of its container closed it. */
function isOpen(slice: string): boolean {
  const mark = slice[0];
  if (mark !== "`" && mark !== "~") return false;
  const lastLine = slice
    .slice(slice.lastIndexOf("\n") + 1)
    .replace(/^[\s>]+/, "")
    .trimEnd();
  return !slice.includes("\n") || lastLine.length < 3 || lastLine !== mark.repeat(lastLine.length);
}

function holdsCode(node: Code, file: SourceText, start: number, end: number): boolean {
  const slice = file.text.slice(start, end);
  if (node.meta && !slice.includes(node.meta)) return false;
  if (slice.includes(node.value)) return true;
  const prefix = file.linePrefix(start);
  const quotes = prefix.split(">").length - 1;
  return outdent(slice, prefix, quotes).includes(node.value);
}

/** Whether something without a node (a comment, an expression without a value) is between the children. */
function hasGap(node: Parents, file: SourceText, start: number, end: number): boolean {
  let at = start;
  for (const child of node.children) {
    const from = child.position?.start.offset;
    const to = child.position?.end.offset;
    if (from === undefined || to === undefined) return true;
    if (from > at && file.hasMark(at, from)) return true;
    at = Math.max(at, to);
  }
  return at < end && file.hasMark(at, end);
}
