/**
 * Finds code blocks whose fences do not match: one that is not closed, has too few or too many signs, or closes nothing.
 * CommonMark shows everything up to the next fence, or the end of the page, as code; here the block ends where its code
 * ends.
 */
import type { Root, RootContent } from "mdast";
import { type Diagnostic, warningOf } from "../../../lib/diagnostic/index.js";
import { createPlaceFinder } from "../location.js";

/** A code block that the parser would read differently, or a fence that closes nothing or has no code before the next one. */
export interface FenceRepair {
  /** From the opening fence to the end of the block, without the last line break. */
  readonly start: number;
  readonly end: number;
  /** Absent for a fence that is left out. */
  readonly code?: { readonly lang: string | null; readonly meta: string | null; readonly value: string };
}

interface Fence {
  /** Of the signs, and of the line. */
  readonly start: number;
  readonly line: number;
  /** After its line, without the line break. */
  readonly end: number;
  /** What is before the signs, with spaces in place of the sign of a list item. */
  readonly indent: string;
  readonly signs: string;
  readonly info: string;
}

const fenceLine = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{2,}|~{3,})([^`\r\n]*)\r?$/gm;
/** Of code that may contain fences and tags. */
const holdsFences = /^\s*(?:md|mdx|markdown)\b/i;
const holdsTags = /^(?:[jt]sx?|html?|xml|svg|vue|svelte|astro|mdx?|markdown|php|erb|hbs|javascript|typescript)\b/i;
const word = /^[ \t]*[A-Za-z][\w+#.-]*(?:[ \t].*)?$/;
/** A language, with lines in braces or a title after it. Other text is a part of the code around it. */
const languageInfo = /^[ \t]*[^\s{}]+(?:\{[\d,\s-]*\})?(?:[ \t].*)?$/;

/** The fences of a page with more are not compared. */
const maxFences = 2000;

/** @param from where the front matter ends. */
export function repairFences(source: string, from: number): FenceRepair[] {
  const fences = fencesOf(source, from);
  if (fences.length > maxFences) return [];
  const found = matchFences(source, fences, false);
  // With an odd number of fences, one is missing; the white space around the others says which of them open a block.
  const byLook = found.isOdd ? matchFences(source, fences, true) : found;
  return byLook.isOdd || byLook.repairs.length > 1 ? found.repairs : byLook.repairs;
}

function matchFences(
  source: string,
  fences: readonly Fence[],
  isByLook: boolean,
): { readonly repairs: FenceRepair[]; readonly isOdd: boolean } {
  const repairs: FenceRepair[] = [];
  let open: Fence | undefined;
  for (const [at, fence] of fences.entries()) {
    const isShort = fence.signs.length < 3;
    const isBare = fence.info.trim() === "";
    if (open === undefined) {
      const next = fences[at + 1];
      if (isShort) {
        // Two signs and a language on a line of their own: a fence, if another closes it.
        const isOpening =
          word.test(fence.info) && next?.signs === "```" && next.info.trim() === "" && isLevel(fence, next);
        if (isOpening) open = fence;
      } else if (
        isBare &&
        isBlankAfter(source, fence) &&
        (!isClosedNext(fence, next) || (isByLook && isTextBefore(source, fence)))
      ) {
        repairs.push({ start: fence.start, end: fence.end });
      } else open = fence;
      continue;
    }
    if (open.signs[0] !== fence.signs[0]) continue;
    // Text behind a closing fence, or its language again: "``` end".
    const next = fences[at + 1];
    if (
      (/^[ \t]+\S/.test(fence.info) || (!isBare && isSameLanguage(fence, open))) &&
      fence.signs === open.signs &&
      isBlankAfter(source, fence) &&
      !isClosedNext(fence, next)
    ) {
      repairs.push(block(source, open, fence.line - 1, fence.end));
      open = undefined;
      continue;
    }
    const isOpening = isBare
      ? isByLook && looksOpening(source, fence)
      : !isShort && fence.signs === open.signs && languageInfo.test(fence.info);
    if (isOpening && !holdsFences.test(open.info)) {
      const repair = unclosed(source, open, fence.line);
      if (!isLevel(open, fence) && repair.end >= source.slice(0, fence.line).trimEnd().length) continue;
      repairs.push(repair.code?.value.trim() === "" ? { start: open.start, end: open.end } : repair);
      open = fence;
    } else if (isBare && fence.signs.length >= open.signs.length) {
      if (open.signs.length < 3) repairs.push(block(source, open, fence.line - 1, fence.end));
      open = undefined;
    } else if (isBare && isLevel(open, fence) && !looksOpening(source, fence) && !isClosedBelow(open, fences, at)) {
      // A closing fence with too few signs, or an opening one with too many.
      repairs.push(block(source, open, fence.line - 1, fence.end));
      open = undefined;
    }
  }
  if (open !== undefined && open.signs.length >= 3 && !isLastPart(source, open)) {
    const repair = unclosed(source, open, source.length + 1);
    if (repair.end < source.trimEnd().length) repairs.push(repair);
  }
  return { repairs, isOdd: open !== undefined || repairs.some(({ code }) => code === undefined) };
}

const isSameLanguage = (fence: Fence, open: Fence): boolean => fence.info.trim() === open.info.trim().split(/[\s{]/)[0];

/** Whether it follows a blank line and is followed by text. */
const looksOpening = (source: string, { line, end }: Fence): boolean =>
  /\n[ \t>]*\r?\n$/.test(source.slice(Math.max(0, line - 200), line)) &&
  /^\r?\n[ \t>]*[^\s<`~]/.test(source.slice(end, end + 200));

/** Whether a tree has a code block that ends with the page or list around it, or that has swallowed the next one. */
export function hasFenceFault(tree: Root, source: string): boolean {
  const pending: (Root | RootContent)[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ("children" in node) for (const child of node.children) pending.push(child);
    if (node.type !== "code" || node.position === undefined) continue;
    const { start, end } = node.position;
    const typed = source.slice(start.offset, end.offset);
    const signs = /^(?:`{3,}|~{3,})/.exec(typed)?.[0];
    if (signs === undefined) continue;
    const last = typed.slice(typed.lastIndexOf("\n") + 1).replace(/^[ \t>]+/, "");
    if (last === typed || !last.startsWith(signs)) return true;
    if (node.value.includes(signs) && node.value.split("\n").some((line) => innerFence.exec(line)?.[1] === signs))
      return true;
  }
  return false;
}
const innerFence = /^[ \t>]*(`{3,}|~{3,})[ \t]*[A-Za-z]/;

/** In order; one within another counts as a part of it. */
function commentsOf(source: string): { readonly start: number; readonly end: number }[] {
  const comments: { start: number; end: number }[] = [];
  for (const [opening, closing] of [
    ["{/*", "*/}"],
    ["<!--", "-->"],
  ] as const)
    for (let start = source.indexOf(opening); start !== -1; ) {
      const end = source.indexOf(closing, start);
      if (end === -1) break;
      comments.push({ start, end });
      start = source.indexOf(opening, end);
    }
  return comments.sort((a, b) => a.start - b.start);
}

function fencesOf(source: string, from: number): Fence[] {
  const fences: Fence[] = [];
  const comments = commentsOf(source);
  let comment = 0;
  fenceLine.lastIndex = from;
  for (
    let match = fenceLine.exec(source);
    match !== null && fences.length <= maxFences;
    match = fenceLine.exec(source)
  ) {
    const [typed, before, signs, info] = match as unknown as [string, string, string, string];
    while (comments[comment] !== undefined && comments[comment]!.end <= match.index) comment++;
    if ((comments[comment]?.start ?? source.length) < match.index) continue;
    const end = match.index + typed.trimEnd().length;
    const indent = before.replace(/[^ \t>]/g, " ");
    fences.push({ line: match.index, start: match.index + before.length, end, indent, signs, info });
  }
  return fences;
}

/** Whether both are in the same list item or quote. */
const isLevel = (a: Fence, b: Fence): boolean => a.indent === b.indent;

/** Whether a closing fence with enough signs comes before the next opening one. */
function isClosedBelow(open: Fence, fences: readonly Fence[], at: number): boolean {
  for (const fence of fences.slice(at + 1)) {
    if (!fence.signs.startsWith(open.signs)) continue;
    return fence.info.trim() === "";
  }
  return false;
}

/** Whether the next fence can close this one. */
const isClosedNext = (fence: Fence, next: Fence | undefined): boolean =>
  next !== undefined && next.info.trim() === "" && next.signs.startsWith(fence.signs);

const isTextBefore = (source: string, { line }: Fence): boolean =>
  /\S[ \t]*\r?\n$/.test(source.slice(Math.max(0, line - 200), line));

const isBlankAfter = (source: string, { end }: Fence): boolean =>
  /^\r?(?:\n[ \t>]*(?:\r?\n|$|<\/)|$)/.test(source.slice(end, end + 200));

/** Whether the code goes on to the end of the page: without a blank line, or with imports of packages, which no page has. */
const isLastPart = (source: string, { start }: Fence): boolean =>
  !/\n[ \t]*\r?\n[ \t]*\S|\n[ \t]*<\//.test(source.slice(start)) ||
  /\nimport\s[^\n"']{1,200}["'][^./"']/.test(source.slice(start));

function unclosed(source: string, open: Fence, limit: number): FenceRepair {
  const end = endOfCode(source, open, limit);
  return block(source, open, source.endsWith(open.signs, end) ? end - open.signs.length : end, end);
}

/** @param codeEnd where the code ends, without its last line break. */
function block(source: string, open: Fence, codeEnd: number, end: number): FenceRepair {
  const lines = source.slice(open.end, Math.max(open.end, codeEnd)).split("\n").slice(1);
  const value = lines.map((line) => withoutIndent(line, open.indent).replace(/\r$/, "")).join("\n");
  const [, lang = null, meta = null] = /^\s*(\S+)(?:\s+(.*?))?\s*$/.exec(open.info) ?? [];
  return { start: open.start, end, code: { lang, meta: meta || null, value } };
}

function withoutIndent(line: string, indent: string): string {
  let at = 0;
  while (at < indent.length && /[ \t>]/.test(line[at] ?? "")) at++;
  return line.slice(at);
}

/** Before the first line that can only be text of the page, or before `limit`. */
function endOfCode(source: string, open: Fence, limit: number): number {
  let end = open.end;
  let isAfterBlank = false;
  for (let at = open.end + 1; at < Math.min(limit, source.length); ) {
    const next = source.indexOf("\n", at);
    const lineEnd = next === -1 ? source.length : next;
    const line = source.slice(at, lineEnd).trimEnd();
    const isBlank = /^[ \t>]*$/.test(line);
    if (!isBlank && (isText(line, open, isAfterBlank) || closesTag(source, open, at, line))) break;
    if (!isBlank) end = at + line.length;
    if (line.endsWith(open.signs)) return end;
    isAfterBlank = isBlank;
    at = lineEnd + 1;
  }
  return end;
}

/** Whether a line closes a component that the code has not opened. */
function closesTag(source: string, open: Fence, at: number, line: string): boolean {
  const name = /^[ \t>]*<\/([A-Z][\w.]*)>/.exec(line)?.[1];
  return name !== undefined && !source.slice(open.end, at).includes(`<${name}`);
}

function isText(line: string, open: Fence, isAfterBlank: boolean): boolean {
  const text = line.trimStart();
  const indent = line.length - text.length;
  const isTag = !holdsTags.test(open.info.trim());
  if (indent < open.indent.length) return true;
  if (!isAfterBlank || indent > open.indent.length) return false;
  if (/^#{2,6} |^\|.*\|$/.test(text) || (isTag && /^<[A-Za-z][\w.]*[\s>]/.test(text))) return true;
  const prose = text.replace(/`[^`]*`|\]\([^)]*\)/g, "");
  if (/[={}\\|]|[;,([]$|^[@$>/]/.test(prose)) return false;
  const isSentence =
    /^(?:[-*] |\d+\. )?[*_[]*\p{Lu}[\p{L}\p{N}'’,-]*(?: +\S+){2,}/u.test(text) && /[.:!?)*\p{L}]$/u.test(text);
  return isSentence || /[\u3040-\u9fff\uac00-\ud7a3]{4}/.test(prose);
}

/** A code block in Markdown that contains another one, up to the end of the text. */
const blockInMarkdown =
  /```(?:md|mdx|markdown)\b(?:(?!```)[\s\S])*\n[ \t]*```\w(?:(?!```)[\s\S])*\n[ \t]*```[ \t]*\n(?:(?!```)[\s\S])*$/;

/** Reports the signs of a code block that open and close none. */
export function strayFence(file: Parameters<typeof createPlaceFinder>[0], start: number, end: number): Diagnostic {
  const { source } = file;
  const typed = source.slice(start, end);
  const isOpening = /[^`~\s]/.test(typed);
  const why = isOpening ? "is directly followed by another code block" : "does not close any code block";
  return {
    ...warningOf("FENCE_UNCLOSED", createPlaceFinder(file)(start, end)),
    what: `"${typed}" ${why}, so it is left out.`,
    fix: isOpening
      ? "remove it."
      : blockInMarkdown.test(source.slice(Math.max(0, start - 4000), start))
        ? "write ```` here and where the code in Markdown starts, since it contains a code block."
        : "write the same characters where the code starts, or remove these.",
  };
}
