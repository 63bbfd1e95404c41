/** Links and marks within a text that do not count as such. */
import type { Diagnostic, Edit } from "../../../lib/diagnostic/index.js";

/** A diagnostic at offsets of the source. */
export interface TextFault extends Pick<Diagnostic, "code" | "what" | "fix"> {
  readonly start: number;
  readonly end: number;
  readonly related?: { readonly start: number; readonly end: number; readonly what: string };
  readonly edits?: readonly Omit<Edit, "sourcePath">[];
}
export type Report = (fault: TextFault) => void;

/** A paragraph, heading or cell as its author typed it. What is no plain text (code, links, marks) is `nonText`. */
export interface Prose {
  readonly text: string;
  /** Offset of `text` in the source. */
  readonly start: number;
}

/** Takes the place of each character that is no plain text: the patterns see a word. */
export const nonText = "\uFFFC";
const address = String.raw`(?:https?:\/\/|mailto:|\.{0,2}\/|#)[^\s()[\]]*`;
const linkWithBlank = new RegExp(String.raw`\[([^\[\]\n]+)\][ \t]+\((${address})\)`, "g");
const linkReversed = new RegExp(String.raw`(?<!\])\(([^()\n]+)\)\[(${address})\]`, "g");
const addressWithBlank =
  /(!?)\[([^[\]\n]*)\]\((?!<)((?:https?:\/\/|\.{0,2}\/|[\w-]+\/)?[^()<>"'\n]{0,200}[^()<>"'\s] [^()<>"'\n]{0,200}(?:\.\w{2,5}|\/)(?:#[\w-]*)?)\)/g;
const reference = /(?<![\w\])])\[([^[\]\n]+)\]\[([^[\]\n]+)\]/g;
const footnote = /\[\^([^\]\s]+)\]/g;

export function checkLinks({ text, start }: Prose, source: string, report: Report): void {
  if (!text.includes("[")) return;
  const typed = (match: RegExpExecArray, group: string): string => {
    const at = start + match.index + match[0].indexOf(group);
    return source.slice(at, at + group.length);
  };
  const add = (match: RegExpExecArray, what: string, replacement: string): void => {
    const [at, end] = [start + match.index, start + match.index + match[0].length];
    const edits = [{ start: at, end, replacement, certain: true }];
    report({ code: "LINK_AS_TEXT", what, fix: `write ${replacement}`, start: at, end, edits });
  };
  for (const match of text.matchAll(linkWithBlank)) {
    const label = typed(match, match[1]!);
    add(match, "The link is shown as text: a space is between its two parts.", `[${label}](${match[2]})`);
  }
  for (const match of text.matchAll(linkReversed)) {
    const label = typed(match, match[1]!);
    add(match, "The link is shown as text: its brackets are in the wrong order.", `[${label}](${match[2]})`);
  }
  for (const match of text.matchAll(addressWithBlank)) {
    const [, bang, , url] = match;
    const kind = bang === "!" ? "image" : "link";
    const label = typed(match, match[2]!);
    add(match, `The ${kind} is shown as text: its address contains a space.`, `${bang}[${label}](<${url!.trim()}>)`);
  }
  for (const match of text.matchAll(reference)) {
    if (match[2]!.startsWith("^")) continue;
    const at = start + match.index;
    report({
      code: "LINK_AS_TEXT",
      what: `The link is shown as text: the page has no line [${match[2]}]: with its address.`,
      fix: `write [${match[2]}]: and the address on a line of its own.`,
      start: at,
      end: at + match[0].length,
    });
  }
  for (const match of text.matchAll(footnote)) {
    const at = start + match.index;
    report({
      code: "LINK_AS_TEXT",
      what: `The footnote is shown as text: the page has no line [^${match[1]}]: with its text.`,
      fix: `write [^${match[1]}]: and the text on a line of its own.`,
      start: at,
      end: at + match[0].length,
    });
  }
}

interface Pair {
  readonly mark: string;
  readonly pattern: RegExp;
  readonly element: string;
}
const pairs: readonly Pair[] = [
  { mark: "**", pattern: /(?<![*/.\\])\*\*(?![*/.])/g, element: "strong" },
  { mark: "~~", pattern: /(?<!~)~~(?!~)/g, element: "del" },
];

/** Marks of bold, code and struck text that have no partner. */
export function checkMarks(prose: Prose, source: string, report: Report): void {
  const { text, start } = prose;
  const tick = /(?<![('"“‘（「])`+|`+(?![)'"”’）」])/.exec(text);
  if (tick)
    report({
      code: "MARK_AS_TEXT",
      what: `${tick[0]} is shown as text: no second one ends the code.`,
      fix: `write ${tick[0]} where the code ends, or \\${tick[0]} for the sign itself.`,
      start: start + tick.index,
      end: start + wordEnd(text, tick.index + tick[0].length),
    });
  for (const pair of pairs) checkPairs(prose, source, pair, report);
}

/** Items of lists are left out, since those of changelogs name many identifiers that begin with `_`. */
export function checkEmphasis({ text, start }: Prose, report: Report): void {
  const emphasis = /(?<=^|[\s(])_(?=\p{L}[\p{L}' ]*(?: |$))(?![^_]*_)/u.exec(text);
  if (emphasis)
    report({
      code: "MARK_AS_TEXT",
      what: "_ is shown as text: no second one ends the emphasis.",
      fix: "write _ where the emphasis ends, or \\_ for the sign itself.",
      start: start + emphasis.index,
      end: start + wordEnd(text, emphasis.index + 1),
    });
}

/** Two marks that do not count, with what stands between them; or one without another. */
function checkPairs({ text, start }: Prose, source: string, { pattern, mark, element }: Pair, report: Report): void {
  const marks = [...text.matchAll(pattern)].map(({ index }) => index);
  for (let at = marks.shift(); at !== undefined; at = marks.shift()) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + mark.length, at + mark.length + 2);
    const close = marks[0] ?? -1;
    const inner = source.slice(start + at + mark.length, start + Math.max(close, at + mark.length));
    const mayBegin = /^\S/.test(after) || !/[\p{L}\p{N}]$/u.test(before);
    if (mayBegin && inner.trim() !== "" && !inner.includes("\n")) {
      const isSpaced = inner.trim() !== inner;
      const replacement = isSpaced ? `${mark}${inner.trim()}${mark}` : `<${element}>${inner}</${element}>`;
      const [first, end] = [start + at, start + close + mark.length];
      report({
        code: "MARK_AS_TEXT",
        what: isSpaced
          ? `${mark} is shown as text: a space is between it and the words.`
          : `${mark} is shown as text: a letter is on one side of it and a punctuation mark on the other.`,
        fix: `write ${replacement}`,
        start: first,
        end,
        edits: [{ start: first, end, replacement, certain: true }],
      });
      marks.shift();
      continue;
    }
    const isOpening = /^[\p{L}\p{N}"'“(\uFFFC]/u.test(after) && /(?:^|[\s(>\p{P}])$/u.test(before);
    const isClosing = /\S$/.test(before) && /^(?:$|[\s.,:;!?)])/.test(after);
    if (!isOpening && !isClosing) return;
    const escaped = [...mark].map((sign) => `\\${sign}`).join("");
    report({
      code: "MARK_AS_TEXT",
      what: `${mark} is shown as text: no second one ${isOpening ? "follows" : "comes before"} it in the paragraph.`,
      fix: `write ${mark} where the words ${isOpening ? "end" : "begin"}, or ${escaped} for the signs themselves.`,
      start: start + at,
      end: start + at + mark.length,
    });
    return;
  }
}

const wordEnd = (text: string, at: number): number => at + /^[^\s\uFFFC]*/.exec(text.slice(at, at + 200))![0].length;
