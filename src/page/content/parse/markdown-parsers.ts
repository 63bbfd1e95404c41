/** The parsers for unified: Sätteri (native, fast), or the reference parsers in JavaScript. */

import { spawnSync } from "node:child_process";
import type { Parents, Root } from "mdast";
import type { Plugin, Processor } from "unified";
import { builtFile } from "../../../lib/package-root.js";
import { isOutOfFiles, waitForFiles } from "../../../lib/wait-for-files.js";
import { markLoneJsx, removeMarks } from "./lone-jsx.js";
import { hasManyOpenTags } from "./nesting.js";
import {
  type MarkdownKind,
  type ParseOutcome,
  ParserLimitError,
  type ParserLimits,
  parserLimits,
  refusalOf,
  serializedTree,
  spentIn,
} from "./parser-limits.js";

export type ParserName = "satteri" | "remark";

/** A syntax error; line and column count from 1. */
export interface SyntaxFault {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}
export interface MarkdownParsers {
  readonly name: ParserName;
  /** @throws {MarkdownSyntaxError} or {ParserLimitError}. */
  parseMdx(source: string): Root;
  /** Plain Markdown has no syntax errors. @throws {ParserLimitError} */
  parseMarkdown(source: string): Root;
}

export class MarkdownSyntaxError extends Error {
  constructor(readonly fault: SyntaxFault) {
    super(fault.reason);
  }
}

/**
 * Loads the parsers. If `satteri` has no native build for this machine, the reference parsers take its place.
 * @param parseApart and `spend` as in `createNativeParser`.
 */
export async function loadParsers(
  name: ParserName,
  parseApart?: ParseApart,
  spend?: (ms: number) => void,
): Promise<MarkdownParsers> {
  const processors = name === "satteri" ? await loadSatteri(parseApart, spend) : await loadRemark();
  // `processor.parse` creates a virtual file for every text, which none of these parsers reads.
  const [mdx, markdown] = processors.map(({ parser }) => parser) as [Parse, Parse];
  return {
    name,
    parseMdx(source) {
      try {
        return mdx(source);
      } catch (error) {
        throw error instanceof ParserLimitError ? error : new MarkdownSyntaxError(faultOf(error));
      }
    },
    parseMarkdown: (source) => markdown(source),
  };
}

type MarkdownProcessor = Processor<Root>;
type Parse = (source: string) => Root;

async function loadSatteri(
  parseApart?: ParseApart,
  spend?: (ms: number) => void,
): Promise<[MarkdownProcessor, MarkdownProcessor]> {
  const [satteri, { unified }] = await Promise.all([import("satteri").catch(() => undefined), import("unified")]);
  if (satteri === undefined) return loadRemark();
  const parse = createNativeParser(satteri, parserLimits, parseApart, spend);
  const processorOf = (kind: MarkdownKind): MarkdownProcessor => {
    const plugin: Plugin<[], string, Root> = function () {
      this.parser = (source) => parse(kind, source);
    };
    return unified().use(plugin).freeze();
  };
  return [processorOf("mdx"), processorOf("markdown")];
}

async function loadRemark(): Promise<[MarkdownProcessor, MarkdownProcessor]> {
  const [{ unified }, { default: parse }, { default: mdx }, { default: gfm }] = await Promise.all([
    import("unified"),
    import("remark-parse"),
    import("remark-mdx"),
    import("remark-gfm"),
  ]);
  return [unified().use(parse).use(mdx).use(gfm).freeze(), unified().use(parse).use(gfm).freeze()];
}

/** Sätteri reports `line:column: reason (rule)`; the reference throws a VFileMessage. */
function faultOf(error: unknown): SyntaxFault {
  const { message, line, column, reason } = error as Error & { line?: number; column?: number; reason?: string };
  // The reference reports an unclosed tag where its parent ends.
  const opened = /^Expected a closing tag for `<[^`]*>` \((\d+):(\d+)/.exec(reason ?? "");
  if (opened !== null) return { line: Number(opened[1]), column: Number(opened[2]), reason: reason! };
  if (line !== undefined && reason !== undefined) return { line, column: column ?? 1, reason };
  const match = /^(\d+):(\d+): ([\s\S]*?)(?: \([\w-]+:[\w-]+\))?$/.exec(message);
  if (match === null) return { line: 1, column: 1, reason: message };
  return { line: Number(match[1]), column: Number(match[2]), reason: match[3]! };
}

/**
 * Parses with Sätteri, which cannot be interrupted. Its time or memory can grow with the square of the text: with
 * unclosed tags, with braces on a line, with entities in a paragraph; with open tags in braces it doubles for each. So a text that could take long is parsed in a
 * process of its own, which ends at its limits.
 */

/** A shorter text is parsed within a second, unless it has many open tags in braces. */
const shortText = 32 * 1024;

/** Signs times characters: up to this a text takes less than a second and 150 MB. */
const harmlessCost = 150_000_000;

const isSign = new Uint8Array(128);
for (const char of "&<{>") isSign[char.charCodeAt(0)] = 1;

function isCostly(kind: MarkdownKind, source: string): boolean {
  if (kind === "mdx" && hasManyOpenTags(source, 0)) return true;
  if (source.length <= shortText) return false;
  let signs = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code < 128) signs += isSign[code]!;
  }
  return signs * source.length > harmlessCost;
}

type NativeParse = (kind: MarkdownKind, source: string) => Root;

/**
 * @param parseApart for texts that could take long.
 * @param spend called with the processor time of each, in milliseconds.
 * @throws {ParserLimitError}, or an Error for a syntax error.
 */
export function createNativeParser(
  satteri: typeof import("satteri"),
  limits: ParserLimits = parserLimits,
  parseApart: ParseApart = parseInProcess,
  spend: (ms: number) => void = () => {},
): NativeParse {
  const treeOf = (bytes: Uint8Array, source: string): Root => {
    const reader = new satteri.MdastReader(bytes);
    if (reader.nodeCount > limits.maxNodes) throw new ParserLimitError("nodes");
    const tree = satteri.materializeMdastTree(reader) as Root;
    restoreNames(tree, source);
    return tree;
  };
  const parseCostly = (kind: MarkdownKind, source: string): Root => {
    const outcome = parseApart(kind, source, limits);
    if (outcome === undefined) return treeOf(serializedTree(satteri, kind, source), source);
    spend(outcome.spentMs ?? limits.maxMs);
    if ("tree" in outcome) return treeOf(outcome.tree, source);
    throw "limit" in outcome ? new ParserLimitError(outcome.limit) : new Error(outcome.fault);
  };
  return (kind, source) => {
    if (!isCostly(kind, source)) return treeOf(serializedTree(satteri, kind, source), source);
    if (kind === "markdown") return parseCostly(kind, source);
    const marked = markLoneJsx(source);
    if (marked.marks.length === 0) return parseCostly(kind, source);
    let tree: Root;
    try {
      tree = parseCostly(kind, marked.source);
    } catch (error) {
      if (error instanceof ParserLimitError) throw error;
      // A mark may have caused the fault.
      return parseCostly(kind, source);
    }
    return removeMarks(tree, marked.marks);
  };
}

/** Sätteri gives an element whose end tag is in a list item the names of its children, too: `detailssummary`. */
function restoreNames(tree: Root, source: string): void {
  const stack: Parents[] = [tree];
  for (let parent = stack.pop(); parent !== undefined; parent = stack.pop())
    for (const node of parent.children) {
      if (node.type === "paragraph" || node.type === "table" || !("children" in node)) continue;
      stack.push(node);
      if (node.type !== "mdxJsxFlowElement" || !node.name) continue;
      const start = node.position!.start.offset! + 1;
      if (source.startsWith(node.name, start)) continue;
      const written = /^\s{0,99}([^\s<>{}/]{1,200})/.exec(source.slice(start, start + 300));
      node.name = written?.[1] ?? node.name;
    }
}

/** Parses in another process. Undefined if none can be started here. */
export type ParseApart = (kind: MarkdownKind, source: string, limits: ParserLimits) => ParseOutcome | undefined;

const parseInProcess: ParseApart = (kind, source, { maxBytes, maxMs }) => {
  const { status, signal, stdout, stderr } = waitForFiles(() => {
    const child = spawnSync(
      process.execPath,
      [builtFile("markdown-process.js"), kind, String(maxBytes), String(maxMs)],
      // A page must not see the caller's environment.
      { input: source, env: {}, maxBuffer: Number.POSITIVE_INFINITY, windowsHide: true },
    );
    if (child.error && isOutOfFiles(child.error)) throw child.error;
    return child;
  });
  const report = stderr?.toString() ?? "";
  return status === 0
    ? { tree: stdout, ...spentIn(report) }
    : refusalOf(status, signal, report, () => stdout.toString());
};
