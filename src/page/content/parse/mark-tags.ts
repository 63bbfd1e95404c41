/**
 * Hides the tags of a page that does not parse from the parser: each becomes an empty expression of the same length, which
 * keeps all offsets and which the parser accepts. `rebuild-tags.ts` turns these expressions into elements again.
 */

import { skipBraces } from "../../../lib/jsx/skip-code.js";
import { parseExpression } from "../expressions/estree.js";
import { type MarkdownParsers, MarkdownSyntaxError } from "./markdown-parsers.js";
import { coveredBy, type Scan, type Span } from "./mask-source.js";
import { checkNesting, isDense } from "./nesting.js";
import { ParserLimitError } from "./parser-limits.js";
import { type ParseTag, readTag, type Tag } from "./read-tag.js";
import { isVoidTag } from "./repair.js";
import type { FenceRepair } from "./repair-fences.js";
import { endOfFaulty } from "./repair-modules.js";
import { scanSource } from "./scan-source.js";

export interface MarkedTags {
  readonly scan: Scan;
  /** By the offset of the tag. */
  readonly tags: ReadonlyMap<number, Tag>;
  /** Tags of names that nothing defines and nothing closes: shown as text. */
  readonly asText: readonly Tag[];
  /** Offsets of braces that open no expression: shown as text. */
  readonly braces: readonly number[];
}

interface MarkOptions {
  readonly bodyStart: number;
  readonly latex: boolean;
  /** Spans of earlier repairs. */
  readonly repairs: readonly Span[];
  readonly fences: readonly FenceRepair[];
  readonly parsers: MarkdownParsers;
  /** Whether HTML has the element or the engine the component. */
  readonly isKnown: (name: string) => boolean;
  /** Offsets of signs that only look like tags: they are in code. */
  readonly inCode: ReadonlySet<number>;
}

/** Pages with more are shown as broken, since each tag costs a parse. */
const maxTags = 5000;
const maxBraces = 500;

export function markTags(source: string, options: MarkOptions): MarkedTags | undefined {
  const { bodyStart, latex, repairs, fences, parsers, isKnown, inCode } = options;
  const parseTag: ParseTag = (tag) => parseAttributes(parsers, tag);
  const found: Tag[] = [];
  const repaired = coveredBy(repairs, source.length);
  const tagEnd = (at: number): number | undefined => {
    if (found.length > maxTags || inCode.has(at) || repaired[at]) return undefined;
    const tag = readTag(source, at, parseTag);
    // Browsers read `</br>` as a line break; behind `<br>`, it only closes that.
    const isBreak =
      tag?.role === "close" && tag.name === "br" && !/<br\s*\/?>\s*$/.test(source.slice(Math.max(0, at - 9), at));
    if (tag) found.push(isBreak || isVoidTag(source.slice(tag.start, tag.end)) ? { ...tag, role: "alone" } : tag);
    return tag?.end;
  };
  const braces: number[] = [];
  const bracesEnd = (at: number): number | undefined => {
    if (braces.length > maxBraces) return undefined;
    const end = skipBraces(source, at);
    // The second brace of `{{ $name }}` is text like the first.
    const isCode = end !== undefined && braces.at(-1) !== at - 1 && isExpression(source, at, end);
    if (!isCode && !repaired[at]) braces.push(at);
    return isCode ? end : undefined;
  };
  const ends = {
    tag: tagEnd,
    braces: bracesEnd,
    module: (at: number) => endOfFaulty(source, at),
    fence: fenceEnds(source, fences),
  };
  const scan = scanSource(source, bodyStart, latex, ends);
  if (found.length > maxTags || braces.length > maxBraces) return undefined;
  const closed = new Set(found.filter(({ role }) => role === "close").map(({ name }) => name));
  const isText = ({ role, name, start }: Tag): boolean =>
    role === "open" &&
    name !== "" &&
    !closed.has(name) &&
    (/[ \t]/.test(source[start + 1]!) || (!isKnown(name) && !isDefined(source, scan.modules, name)));
  const asText = found.filter(isText);
  const tags = new Map(found.filter((tag) => !isText(tag)).map((tag) => [tag.start, tag]));
  const spans = [
    ...scan.spans,
    ...fences.map(fenceSpan),
    ...[...tags.values()].map(({ start, end }): Span => ({ kind: "mark", start, end, value: "" })),
    ...[...asText.map(({ start }) => start), ...braces].map(
      (start): Span => ({ kind: "literal", start, end: start + 1, value: source[start]! }),
    ),
  ];
  const isFree = (span: Span): boolean => !spans.some(({ start, end }) => span.start < end && start < span.end);
  spans.push(...repairs.filter(isFree));
  return { scan: { ...scan, spans: spans.sort((a, b) => a.start - b.start) }, tags, asText, braces };
}

/** The end of the code block that begins on a line, in the way of `scanSource`. */
export function fenceEnds(source: string, fences: readonly FenceRepair[]): (line: number) => number | undefined {
  const ends = new Map(fences.map(({ start, end }) => [source.lastIndexOf("\n", start - 1) + 1, end]));
  return (line) => ends.get(line);
}

export const fenceSpan = ({ start, end, code }: FenceRepair): Span => ({
  kind: code ? "mark" : "drop",
  start,
  end,
  value: "",
});

/** Whether braces hold an expression that both parsers can read, or nothing. */
const isExpression = (source: string, start: number, end: number): boolean =>
  isDense(source, start, end)
    ? checkNesting(source, { kind: "braces", start, end }) === undefined
    : parseExpression(source.slice(start + 1, end - 1)).kind !== "fault";

/** Whether an import or export names it. */
function isDefined(source: string, modules: Scan["modules"], name: string): boolean {
  const word = new RegExp(`(?<![\\w$.])${name.split(".")[0]!.replaceAll("$", "\\$")}(?![\\w$])`);
  return (modules ?? []).some(({ start, end }) => word.test(source.slice(start, end)));
}

function parseAttributes(parsers: MarkdownParsers, tag: string): Tag["attributes"] | undefined {
  if (isDense(tag, 0, tag.length) && checkNesting(tag, { kind: "tag", start: 0, end: tag.length })) return undefined;
  try {
    const { children } = parsers.parseMdx(tag);
    const node = children.length === 1 ? children[0]! : undefined;
    return node?.type === "mdxJsxFlowElement" && node.children.length === 0 ? node.attributes : undefined;
  } catch (error) {
    if (error instanceof MarkdownSyntaxError || error instanceof ParserLimitError) return undefined;
    throw error;
  }
}
