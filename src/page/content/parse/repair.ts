/**
 * Repairs syntax errors. A sign that MDX cannot parse and that can only be meant as text is shown as text, so that one
 * `<` does not break a page. Ambiguous mistakes (a tag that is never closed) are not repaired, but skipped, so that all
 * mistakes of a page are found.
 */
import type { Root } from "mdast";
import { skipBraces, skipTag } from "../../../lib/jsx/skip-code.js";
import { offsetAt } from "../location.js";
import { moduleNodes } from "../module-parts.js";
import type { SyntaxFault } from "./markdown-parsers.js";
import { coveredBy, type Scan, type Span } from "./mask-source.js";

export interface Repair {
  readonly scan: Scan;
  /** A sentence that says what the page shows now. */
  readonly shown: string;
}

/** The reasons that the parsers give for a `<` that does not begin a tag. */
export const beginsNoTag = /after `<`|(?:before|in|after) (?:local |member )?name|before attribute|to create a link/;
const autolink = /<((?:https?:\/\/|mailto:)[^\s<>]*|[\w.+-]+@[\w.-]+\.\w+)>/y;
const inTag = /[>"'{<]/g;
/** Of the brackets that may begin a tag with quotes or braces: to find its end can take long. */
const maxCostlyAngles = 1000;
const maxTagName = 200;

/** How far before a closing tag its opening tag is searched. */
export const maxTagDistance = 2000;

/** How many braces before the paragraph of a fault are tried; each costs a search for its end. */
const maxOpenBlocks = 20;

/** Whether the page starts with front matter in JSON, as Hugo reads it. */
export const isJsonFrontMatter = (source: string, open: number): boolean =>
  source.slice(0, open).trim() === "" && /^\{\s*"(?:title|description)"\s*:/.test(source.slice(open, open + 200));

/** Whether HTML has no closing tag for this one. */
export const isVoidTag = (tag: string): boolean => voidTag.test(tag);
const voidTag = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i;

/** `import` and `export` in code; a line of prose may begin with the same words. */
export const moduleCode =
  /^(?:import(?:\s+[\w$]+(?:\s*,|\s+from\b)|\s*[{*"'(])|export(?:\s+(?:default|const|let|var|function|class|async|enum|type|interface)\b|\s*[{*]))/;

/** Repairs prose that the parser took for a module: its first letter becomes plain text. */
export function repairProse(
  source: string,
  tree: Root,
  scan: Scan,
): (Repair & { readonly fault: SyntaxFault }) | undefined {
  for (const node of moduleNodes(tree)) {
    const start = moduleCode.test(node.value) ? undefined : node.position?.start;
    const repair = start?.offset === undefined ? undefined : add(scan, [literal(source, start.offset)], shownAsText);
    if (start !== undefined && repair !== undefined)
      return { ...repair, fault: { reason: importOrExport, line: start.line, column: start.column } };
  }
  return undefined;
}
const importOrExport =
  "A line that starts with import or export is read as JavaScript, but this one is not valid JavaScript";
const shownAsText = "It is shown as text.";

export function repairFault(source: string, fault: SyntaxFault, scan: Scan): Repair | undefined {
  const at = offsetAt(source, fault.line, fault.column);
  const unclosed = /closing tag for `<(\w+)>`/.exec(fault.reason);
  if (unclosed !== null) return repairVoidTag(source, fault, at, scan);
  if (beginsNoTag.test(fault.reason)) {
    const open = source.lastIndexOf("<", at);
    return open === -1 || source.slice(open, at).includes("\n") ? undefined : repairAngle(source, open, scan);
  }
  if (/import\/exports/.test(fault.reason)) {
    const start = Math.max(source.lastIndexOf("\nimport", at), source.lastIndexOf("\nexport", at)) + 1;
    return moduleCode.test(source.slice(start)) ? undefined : add(scan, [literal(source, start)], shownAsText);
  }
  if (/expression|acorn|oxc|closing brace/i.test(fault.reason)) {
    const open = openBrace(source, at);
    if (open === undefined || insideTag(source, open) || isJsonFrontMatter(source, open)) return undefined;
    const styleEnd = endOfStyle(source, open);
    if (styleEnd !== undefined) {
      const signs = [...source.slice(open, styleEnd).matchAll(/[{}]/g)];
      return add(
        scan,
        signs.map(({ index }) => literal(source, open + index)),
        "Its CSS is used as written.",
      );
    }
    const braces = /^\{+/.exec(source.slice(open, open + 2))![0].length;
    const spans = [open, open + 1].slice(0, braces).map((start) => literal(source, start));
    return add(scan, spans, "The brace is shown as text.");
  }
  return undefined;
}

/** How far before a brace the `<style>` around it is searched. */
const maxStyleDistance = 10_000;

/** The end of the `<style>` element around the brace at `at`; undefined if the brace starts a string, as in MDX it must. */
export function endOfStyle(source: string, at: number): number | undefined {
  if (/^\{\s*[`"']/.test(source.slice(at, at + 20))) return undefined;
  const before = source.slice(Math.max(0, at - maxStyleDistance), at);
  const open = before.lastIndexOf("<style");
  const end = open === -1 || before.includes("</style", open) ? -1 : source.indexOf("</style", at);
  return end === -1 ? undefined : end;
}

/** `<br>` and the like need no closing tag in HTML: read as `<br/>`. */
function repairVoidTag(source: string, fault: SyntaxFault, at: number, scan: Scan): Repair | undefined {
  const opened = /\((\d+):(\d+)/.exec(fault.reason);
  const open = opened === null ? at : offsetAt(source, Number(opened[1]), Number(opened[2]));
  const end = source[open] === "<" ? skipTag(source, open) : undefined;
  if (end === undefined || !voidTag.test(source.slice(open, end))) return undefined;
  const tag = source.slice(open, end);
  return add(scan, [{ kind: "tag", start: open, end, value: `${tag.slice(0, -1)}/>` }], "It is treated as closed.");
}

/** The address of `<https://example.com>` or `<me@example.com>`. */
export function autolinkAt(source: string, open: number): string | undefined {
  autolink.lastIndex = open;
  return autolink.exec(source)?.[1];
}

function repairAngle(source: string, open: number, scan: Scan): Repair | undefined {
  const link = autolinkAt(source, open);
  if (link !== undefined) {
    const close = open + link.length + 1;
    const brackets: Span[] = [open, close].map((start) => ({ kind: "drop", start, end: start + 1, value: "" }));
    return add(scan, brackets, "It is treated as a link.");
  }
  if (/^<\/?[A-Za-z][\w.-]*[\s/>]/.test(source.slice(open, open + 80)) && skipTag(source, open) !== undefined)
    return undefined;
  return add(scan, [literal(source, open), ...furtherAngles(source, open, scan)], "The character is shown as text.");
}

/** Whether the `</Name` at `at`, which lacks its `>`, closes a tag that is open there: then it is not meant as text. */
export function closesTag(source: string, at: number): boolean {
  const [closing, name] = /^<\/([A-Za-z][\w.:-]*)/.exec(source.slice(at, at + maxTagName)) ?? [];
  if (closing === undefined) return false;
  const before = source.slice(Math.max(0, at - maxTagDistance), at).replace(/`+[^`]*`+/g, "");
  const last = [...before.matchAll(/<\/?([A-Za-z][\w.:-]*)/g)].findLast((tag) => tag[1] === name);
  if (last === undefined || last[0] === closing) return false;
  const end = skipTag(before, last.index);
  return end !== undefined && before[end - 2] !== "/" && !voidTag.test(last[0]);
}

/** The other angle brackets of the paragraph that do not begin a tag, so that each does not cost a parse. */
function furtherAngles(source: string, from: number, scan: Scan): Span[] {
  const angles: Span[] = [];
  const hidden = coveredBy(scan.spans, source.length);
  const sign = /<|\n[ \t]*\r?\n/g;
  sign.lastIndex = from + 1;
  let costly = 0;
  for (let match = sign.exec(source); match?.[0] === "<" && costly < maxCostlyAngles; match = sign.exec(source)) {
    const at = match.index;
    if (hidden[at] || source[at - 1] === "\\" || !/[A-Za-z]/.test(source[at + 1] ?? "")) continue;
    inTag.lastIndex = at + 1;
    const next = inTag.exec(source)?.[0];
    if (next === '"' || next === "'" || next === "{") costly++;
    if (next === "<" || skipTag(source, at) === undefined) angles.push(literal(source, at));
  }
  return angles;
}

const literal = (source: string, at: number): Span => ({ kind: "literal", start: at, end: at + 1, value: source[at]! });

/** The `{` that is open at `at`: in the same paragraph, or else one that begins a line, whose code may have blank lines. */
export function openBrace(source: string, at: number): number | undefined {
  let depth = 0;
  for (let back = at; back >= 0; back--) {
    const char = source[back];
    if (char === "\n" && /^\n[ \t]*\r?\n/.test(source.slice(back, back + 200)) && back < at)
      return openBlock(source, back, at);
    if (char === "}" && back < at) depth++;
    else if (char === "{" && source[back - 1] !== "\\") {
      // The outer one of `{{ name }}`.
      if (depth === 0) return source[back - 1] === "{" && source[back - 2] !== "\\" ? back - 1 : back;
      depth--;
    }
  }
  return undefined;
}

/** The nearest `{` before `from` that begins a line and is not closed before `at`. */
function openBlock(source: string, from: number, at: number): number | undefined {
  for (let tries = 0, next = from; next >= 0 && tries < maxOpenBlocks; tries++) {
    const back = source.lastIndexOf("{", next);
    if (back === -1) return undefined;
    const isFirst = source.slice(source.lastIndexOf("\n", back) + 1, back).trim() === "";
    if (isFirst && (skipBraces(source, back) ?? source.length) >= at) return back;
    next = back - 1;
  }
  return undefined;
}

/** Whether `at` is inside a tag. */
function insideTag(source: string, at: number): boolean {
  const open = source.lastIndexOf("<", at);
  if (open === -1 || !/[A-Za-z]/.test(source[open + 1] ?? "")) return false;
  const end = skipTag(source, open);
  return end === undefined ? /=\s*$/.test(source.slice(open, at)) : end > at;
}

function add(scan: Scan, spans: readonly Span[], shown: string): Repair | undefined {
  const added = withSpans(scan, spans);
  return added && { shown, scan: added };
}

/** Undefined if one of them overlaps another. */
export function withSpans(scan: Scan, spans: readonly Span[]): Scan | undefined {
  const hidden = coveredBy(scan.spans, Math.max(0, ...spans.map(({ end }) => end)));
  const overlaps = spans.some(({ start, end }) => hidden.subarray(start, end).includes(1));
  return overlaps ? undefined : { ...scan, spans: [...scan.spans, ...spans].sort((a, b) => a.start - b.start) };
}

/** Shows the passage of a fault as written, from blank line to blank line. Undefined if it is already hidden. */
export function showPassage(source: string, at: number, scan: Scan): Repair | undefined {
  let [start, end] = passageAround(source, at);
  const isInside = (span: Span): boolean => span.start < end && start < span.end;
  for (const span of scan.spans)
    if (isInside(span)) [start, end] = [Math.min(start, span.start), Math.max(end, span.end)];
  const inside = scan.spans.filter(isInside);
  if (end <= start || (inside.length === 1 && inside[0]!.start === start && inside[0]!.end === end)) return undefined;
  const kept = scan.spans.filter((span) => !isInside(span));
  const passage: Span = { kind: "literal", start, end, value: source.slice(start, end) };
  const spans = [...kept, passage].sort((a, b) => a.start - b.start);
  return { scan: { ...scan, spans }, shown: "The passage is shown as typed." };
}

/** From blank line to blank line. */
function passageAround(source: string, at: number): [start: number, end: number] {
  const before = source.lastIndexOf("\n\n", Math.max(0, at - 1));
  const after = source.indexOf("\n\n", at);
  return [before === -1 ? at : Math.min(at, before + 2), after === -1 ? source.length : after];
}
