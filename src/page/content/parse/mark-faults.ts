/** Links and marks within a text that do not count as such. */
import type { Diagnostic, Edit } from "../../../lib/diagnostic/index.js";
import { isLikelyReference } from "./foreign-text.js";

/** A diagnostic at offsets of the source. */
export interface TextFault extends Pick<Diagnostic, "code" | "what" | "fix"> {
  readonly start: number;
  readonly end: number;
  /** Where the text ends that the fault spoils, if later. */
  readonly until?: number | undefined;
  readonly related?: { readonly start: number; readonly end: number; readonly what: string };
  readonly edits?: readonly Omit<Edit, "sourcePath">[];
  /** The text to write instead of all of it. */
  readonly replacement?: string;
}
export type Report = (fault: TextFault) => void;

/** A paragraph, heading or cell as its author typed it. What is no plain text (code, links, marks) is `nonText`. */
export interface Prose {
  readonly text: string;
  /** Offset of `text` in the source. */
  readonly start: number;
}

/** The offsets in the source of a match in the prose. */
const rangeOf = ({ start }: Prose, { index, 0: typed }: RegExpExecArray): Pick<TextFault, "start" | "end"> => ({
  start: start + index,
  end: start + index + typed.length,
});

/** Spaces that end no sign of a heading or list, and characters that nobody sees. Some are part of letters and emoji elsewhere. */
export const invisible = "\\u00a0\\u202f\\u3000\\u200b-\\u200f\\u2060\\ufeff";

/** In words, since nobody sees it. */
export const unseen = (character: string): string =>
  /\s/.test(character) && character !== "\ufeff"
    ? "a non-breaking space"
    : `the invisible U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

/** Takes the place of each character that is no plain text: the patterns see a word. */
export const nonText = "\uFFFC";
/** A formula or a variable, in a fix. */
export const hiddenText = new RegExp(`${nonText}+`, "g");
const address = String.raw`(?:https?:\/\/|mailto:|\.{0,2}\/|#)[^\s()[\]]*`;
const linkWithBlank = new RegExp(String.raw`\[([^\[\]\n]+)\](?:[ \t]+|[ \t]*\n)\((${address})\)`, "g");
const linkReversed = new RegExp(String.raw`(?<!\])\(([^()\n]+)\)\[(${address})\]`, "g");
const addressWithBlank =
  /(!?)\[([^[\]\n]*)\]\((?!<)((?:https?:\/\/|\.{0,2}\/|[\w-]+\/)?[^()<>"'\n]{0,200}[^()<>"'\s] [^()<>"'\n]{0,200}(?:\.\w{2,5}|\/)(?:#[\w-]*)?|[^()<>"'\n]{0,100} \(\d{1,3}\)[^()<>"'\s]{0,40}\.\w{2,5}|\/[\w./-]{1,80}(?: [\w./-]{1,80}){1,8}|https?:\/\/[^()<>"“”'\s]{1,200}[? ][^()<>"“”'\n]{1,200}|(?:tel:)?\+\d[\d ]{5,20}|mailto: +[^\s()]{3,100})\)/g;
const anchorWithBlank = /\[([^[\]\n]+)\]\(#([^\s()"'<>]+(?: [^\s()"'<>]+){1,8})\)/g;
const reference = /(?<![\w\])])\[([^[\]\n]+)\]\[([^[\]\n]+)\]/g;
/** A link that lacks one sign, the sign, and where it belongs. */
const unclosedLinks = [
  [
    new RegExp(String.raw`\[[^[\]()\n]{1,80}\]\(${address}(?:[ \t]+"[^")\n]*)?(?=\s|$)(?![^\n]{0,300}\))`, "g"),
    ")",
    "after the address",
  ],
  [/\[[^[\]()\n]{1,80}\]\(https?:\/\/[^\s()]{1,200}\([^\s()]{0,100}\)(?=[.,;:!?]?(?:\s|$))/g, ")", "after the address"],
  [/\[[^[\]()\n]{1,80}\]\((?:[a-z][\w./-]{0,80}[ \t][^\n()]*)?(?![\s\S])/g, ")", "after the address"],
  [
    new RegExp(String.raw`\[[^[\]()\n]{1,80}\]\(${address}[ \t]+["'][^"')\n]*\)`, "g"),
    "closing quote",
    "after its title",
  ],
  [new RegExp(String.raw`\[[^[\]()\n]{1,80}\(${address}\)(?![^[\n]*\])`, "g"), "]", "before the address"],
  [new RegExp(String.raw`(?<=^|[\s(])[\p{L}\p{N}'-]+\]\(${address}\)`, "gmu"), "[", "before the words"],
] as const;
const image = String.raw`\]\([^()\s]+\.(?:png|jpe?g|gif|svg|webp|avif)\)`;
/** Links and images with a wrong sign, and what to write. `at`: index of the sign that is plain text; -1 is the last one. */
const misplacedSigns: Readonly<Record<string, readonly [pattern: RegExp, right: string, at?: number]>> = {
  "link is shown as text: it has two ] signs": [
    new RegExp(String.raw`(!?\[[^[\]()\\\n]{1,80}\])\](\((?:${address})\))`, "g"),
    "$1$2",
    -1,
  ],
  "image is shown as a link: its ！ is a full-width character": [
    new RegExp(String.raw`！(\[[^[\]\n]{0,80}${image})`, "gi"),
    "!$1",
  ],
  "link is shown as text: a ] ends its URL": [
    new RegExp(String.raw`(\[[^[\]()\n]{1,80}\])\((${address})\]`, "g"),
    "$1($2)",
  ],
  "link is shown as text: its brackets have a colon between them": [
    new RegExp(String.raw`(\[[^[\]()\n]{1,80}\]):\((${address})\)`, "g"),
    "$1($2)",
  ],
  "link is shown as text: its signs are full-width characters": [
    /(!?)[[［【]([^[\]［］【】\n]{1,80})[\]］】]（((?:https?:\/\/|\.{0,2}\/|#)[^\s（）]{0,200})）/g,
    "$1[$2]($3)",
  ],
  "link is shown as text: only a title in quotes can follow its URL": [
    new RegExp(String.raw`(!?\[[^[\]()\n]{0,80}\]\(${address}[ \t]+"[^"\n]*")[ \t]{1,9}[^\s()][^()\n]{0,200}\)`, "g"),
    "$1)",
  ],
  "image is shown as a link: a space follows its !": [
    new RegExp(String.raw`(?<![^\s>])! (\[[^[\]\n]{0,80}${image})`, "gi"),
    "!$1",
  ],
  "image is shown as a link: its ! is inside the brackets": [
    new RegExp(String.raw`\[!([^[\]\n]{1,80}${image})`, "gi"),
    "![$1",
    1,
  ],
  "image is shown as text: its parentheses and brackets are swapped": [
    /!\(([^()\s]+\.(?:png|jpe?g|gif|svg|webp|avif))\)\[([^[\]\n]{0,80})\]/gi,
    "![$2]($1)",
  ],
  "image is shown as text: there is a space between ] and (": [
    /(!\[[^[\]\n]{0,80}\])[ \t]+(\((?![./#])[^()\s:]+\.(?:png|jpe?g|gif|svg|webp|avif)\))/gi,
    "$1$2",
  ],
};
/** The outer one of two nested links. */
const nestedLink = new RegExp(String.raw`\[[^[\]\n]{0,80}\uFFFC[^[\]\n]{0,160}\]\((${address})\)`, "g");
const escapedTwice = /&amp;(?=(?:lt|gt|nbsp|quot|amp|#\d{2,5});)/g;

/** How far before a link without its opening bracket others are looked for. */
const maxBefore = 300;
/** A line that would give a reference its address, but for a space or the text before it. */
const brokenDefinition = new RegExp(
  String.raw`(^|\n)[ \t]{0,3}\[([^[\]\n^]{1,80})\]([ \t]*):[ \t]+${address}[ \t]*(?=\n|$)`,
  "g",
);
const entity =
  /(?<![\w&?/])&(?:(?:nbsp|copy|reg|trade|mdash|ndash|hellip|lt|gt|amp|quot)(?=[\s,.)]|$)|(?:nbsp|lt|gt)(?=\w)(?!\w{0,30}[;=])|#(?:x[\da-fA-F]{2,6}|\d{2,7})(?=[\s,.)]|$))/g;
/** A name between the signs of an entity; those that HTML knows are no text any more. */
const unknownEntity = /(?<![\w=?&/])&(?!amp;)([a-z][a-z\d]{1,30});/gi;
/** Formulas in the brackets of TeX, whose backslashes Markdown takes away. */
const texBrackets = /(?<!\\\])\\\(([^\n]{1,200}?)\\\)|\\\[([^[\]]{1,400}?)\\\](?!\\?\()/g;
const texSigns = /\\[a-z]{2,}|[\^_]\{|[\p{L}\d)]\^[\p{L}\d]|^\s*\p{L}(?:_\p{L})?\s*(?:=|$)/iu;
/** A `$` that begins a formula: what follows looks neither like a price nor like a variable of a shell. */
const openFormula = /(?<![\w$\\])\$(?:\d{0,3}[a-zA-Z]|\([a-zA-Z][+-][a-zA-Z\d]\))\^[\w({]/;
const footnote = /\[\^ ?([^\]\s\\@]+)\](?![+*?])/g;

export function checkLinks(prose: Prose, source: string, report: Report): void {
  const { text, start } = prose;
  if (!/[[\]［！]|! |\uFFFC!/.test(text)) return;
  const typed = (match: RegExpExecArray, group: string): string => {
    const at = start + match.index + match[0].indexOf(group);
    return source.slice(at, at + group.length);
  };
  const warn = (match: RegExpExecArray, what: string, fix: string, more: Partial<TextFault> = {}): void =>
    report({ code: "LINK_AS_TEXT", what, fix, ...rangeOf(prose, match), ...more });
  const correct = (match: RegExpExecArray, what: string, replacement: string): void =>
    warn(match, what, `write ${replacement}`, { replacement });
  for (const match of text.matchAll(linkWithBlank)) {
    const label = typed(match, match[1]!);
    correct(match, "The link is shown as text: ( does not directly follow ].", `[${label}](${match[2]})`);
  }
  for (const match of text.matchAll(linkReversed)) {
    const label = typed(match, match[1]!);
    correct(match, "The link is shown as text: its parentheses and brackets are swapped.", `[${label}](${match[2]})`);
  }
  const raw = source.slice(start, start + text.length);
  for (const [what, [pattern, right, at = 0]] of Object.entries(misplacedSigns))
    for (const match of raw.matchAll(pattern))
      if (text[match.index + (at < 0 ? match[0].length + at : at)] === match[0].at(at))
        correct(match, `The ${what}.`, match[0].replace(new RegExp(pattern.source, "i"), right));
  for (const match of text.matchAll(anchorWithBlank)) {
    const anchor = match[2]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ +/g, "-");
    correct(
      match,
      "The link is shown as text: its anchor contains a space.",
      `[${typed(match, match[1]!)}](#${anchor})`,
    );
  }
  for (const match of text.matchAll(nestedLink))
    if (/\]\([^)]*\)/.test(typed(match, match[0]).slice(0, -match[1]!.length - 3)))
      warn(
        match,
        "The outer link is shown as text: a link cannot contain another link.",
        "write the two links one after the other.",
      );
  for (const match of text.matchAll(addressWithBlank)) {
    const [, bang, , url] = match;
    const target = /^(?:tel:|mailto:|\+)/.test(url!)
      ? url!.replaceAll(" ", "").replace(/^(?=\+)/, "tel:")
      : `<${url!.trim()}>`;
    const right = `${bang}[${typed(match, match[2]!)}](${target})`;
    correct(match, `The ${bang ? "image" : "link"} is shown as text: its URL contains a space.`, right);
  }
  for (const [pattern, sign, place] of unclosedLinks)
    for (const match of text.matchAll(pattern)) {
      if (sign === "[" && /[[\]][^\n]*$/.test(text.slice(Math.max(0, match.index - maxBefore), match.index))) continue;
      const fix = `write ${sign.length > 1 ? "the " : ""}${sign} ${place}.`;
      const at = start + match.index + match[0].search(/\S/);
      warn(match, `The link is shown as text: it has no ${sign}.`, fix, { start: at });
    }
  for (const match of text.matchAll(brokenDefinition)) {
    const isSpaced = match[3] !== "";
    if (!isSpaced && match.index === 0) continue;
    const [reason, fix] = isSpaced
      ? ["there is a space before the colon", `write [${match[2]}]: before the URL.`]
      : ["it follows a line of text", "put a blank line before it."];
    const at = start + match.index + match[0].indexOf("[");
    warn(match, `The URL of [${match[2]}] is shown as text: ${reason}.`, fix, { start: at });
  }
  for (const match of text.matchAll(reference)) {
    const link = typed(match, match[0]);
    const name = link.slice(-1 - match[2]!.length, -1);
    if (name.startsWith("^") || !isLikelyReference(link.slice(1, -name.length - 3), name, source)) continue;
    warn(
      match,
      `${link} is shown as text: the page does not define [${name}]: with a URL.`,
      `write [${name}]: and the URL on a separate line, or \\${link} if it is no link.`,
    );
  }
  for (const match of text.matchAll(footnote))
    warn(
      match,
      `The footnote is shown as text: the page does not define [^${match[1]}]: with its content.`,
      `write [^${match[1]}]: and the note on a separate line.`,
    );
}

interface Pair {
  readonly mark: string;
  readonly pattern: RegExp;
  readonly element: string;
}
const pairs: readonly Pair[] = [
  { mark: "***", pattern: /(?<=^|\s)\*{3}(?=[\p{L}\p{N}])/gu, element: "strong" },
  { mark: "**", pattern: /(?<![*/.\\]|'(?=\*\*')|"(?=\*\*"))\*\*(?![*/.])/g, element: "strong" },
  { mark: "~~", pattern: /(?<!~)~~(?!~)/g, element: "del" },
];

/** Marks of bold, code and struck text that have no partner. */
export function checkMarks(prose: Prose, source: string, report: Report): void {
  const { text, start } = prose;
  const warn = (match: RegExpExecArray, what: string, fix: string, more: Partial<TextFault> = {}): void =>
    report({ code: "MARK_AS_TEXT", what, fix, ...rangeOf(prose, match), ...more });
  const tick = /(?<![+('"“‘（「])`+|(?<!\+)`+(?![)'"”’）」])/.exec(text);
  if (tick) reportUnclosed(prose, tick.index, tick[0], report);
  if (/^\$\$(?:[ \t]*\n|(?=[\\\w({])[^$]*$)/.test(text)) reportUnclosed(prose, 0, "$$", report);
  const dollar = openFormula.exec(text);
  if (dollar && !/\$/.test(text.slice(dollar.index + 1))) reportUnclosed(prose, dollar.index, "$", report);
  for (const match of text.matchAll(entity)) {
    const { end } = rangeOf(prose, match);
    const edits = [{ start: end, end, replacement: ";", certain: true }];
    warn(match, `${match[0]} is shown as text, because it has no ; at its end.`, `write ${match[0]};`, { edits });
  }
  const raw = source.slice(start, start + text.length);
  for (const match of raw.matchAll(escapedTwice)) {
    const { end } = rangeOf(prose, match);
    const name = /^[^;]*;/.exec(source.slice(end, end + 15))![0];
    if (text.startsWith(name, end - start))
      warn(match, `&amp;${name} is shown as &${name}: its & is escaped twice.`, `write &${name}`, {
        end: end + name.length,
      });
  }
  for (const match of text.matchAll(unknownEntity))
    warn(
      match,
      `${match[0]} is shown as text: HTML has no character of this name.`,
      `write the character itself, or &amp;${match[0].slice(1)} for the text.`,
    );
  for (const match of raw.matchAll(texBrackets)) {
    const { 0: typed, 1: inLine, 2: display = "", index } = match;
    const formula = inLine ?? display;
    // Code has no words in the text.
    const isProse = new RegExp(`[^${nonText}\\s]`).test(text.slice(index + 2, index + typed.length - 2));
    if (!isProse || !texSigns.test(formula)) continue;
    const mark = inLine === undefined ? "$$" : "$";
    const what = `"${typed.replace(/\s+/g, " ").slice(0, 60)}" is shown as text: formulas are between ${mark} here.`;
    warn(match, what, `write ${mark}${formula.trim()}${mark}`, { code: "FOREIGN_MARKUP" });
  }
  for (const pair of pairs) checkPairs(prose, source, pair, report);
  const stars = text.split("*").length === 3 ? spacedEmphasis.exec(text) : null;
  if (stars) {
    const range = rangeOf(prose, stars);
    const replacement = `*${source.slice(range.start + 1, range.end - 1).trim()}*`;
    const what = "* is shown as text: there is a space between it and the text.";
    warn(stars, what, `write ${replacement}`, { replacement });
  }
}
/** Both stars of words. A star between spaces is a product, and one behind a word may be the sign of a note. */
const spacedEmphasis = /(?<=^|\p{L}[,;:]? |[(“"])\*(?=\p{L}{2})[\p{L}\d' -]{1,60} \*(?=$|[\s.,;:!?)])/u;

/**
 * Within a paragraph, a word in lower case is an identifier that begins with `_`. Items of lists are left out, since those of
 * changelogs name many.
 */
export function checkEmphasis(prose: Prose, report: Report): void {
  const emphasis = /(?:^_(?=\p{L})|(?<=[\s(])_(?=\p{Lu}))(?=[\p{L}' ]+(?: |$))(?![^_]*_)/u.exec(prose.text);
  if (emphasis) reportUnclosed(prose, emphasis.index, "_", report);
}

/** What a mark begins, and its name. A run of backticks begins code. */
const unclosedMarks: Readonly<Record<string, readonly [string, string]>> = {
  _: ["emphasis", "underscore"],
  $: ["formula", "dollar sign"],
};

function reportUnclosed({ text, start }: Prose, at: number, mark: string, report: Report): void {
  const [what, name] = unclosedMarks[mark[0]!] ?? ["code", "backtick"];
  report({
    code: "MARK_AS_TEXT",
    what: `${mark} is shown as text: the ${what} has no closing ${mark}.`,
    fix: `write ${mark} where the ${what} ends, or \\${mark} for a literal ${name}.`,
    start: start + at,
    end: start + wordEnd(text, at + mark.length),
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
    if (mayBegin && inner.trim() !== "" && !inner.includes("\n") && !isCrossed(inner)) {
      // Markdown pairs the inner marks of "**A**x**B**", although A and B are what the author marked.
      const parts = inner.split(mark);
      const isSpaced = inner.trim() !== inner && parts.length === 1;
      const [open, end] = isSpaced ? [mark, mark] : [`<${element}>`, `</${element}>`];
      const tag = (part: string, i: number) => (i % 2 === 0 ? `${open}${part.trim()}${end}` : part);
      const replacement = (parts.length % 2 === 1 ? parts : [inner]).map(tag).join("");
      const what = isSpaced
        ? `${mark} is shown as text: there is a space between it and the text.`
        : `${mark} is shown as text: it has a letter on one side and punctuation on the other.`;
      const fix = `write ${replacement}`;
      report({ code: "MARK_AS_TEXT", what, fix, start: start + at, end: start + close + mark.length, replacement });
      marks.shift();
      continue;
    }
    const isOpening = /^[\p{L}\p{N}"'“(\uFFFC]/u.test(after) && /(?:^|[\s(>\p{P}])$/u.test(before);
    const isClosing = /\S$/.test(before) && /^(?:$|[\s.,:;!?)])/.test(after);
    if ((!isOpening && !isClosing) || argumentsOfPython.test(text.slice(at + mark.length, at + mark.length + 40)))
      return;
    const escaped = [...mark].map((sign) => `\\${sign}`).join("");
    const what = `${mark} is shown as text: the paragraph has no ${isOpening ? "closing" : "opening"} ${mark} for it.`;
    const fix = `write ${mark} where the marked text ${isOpening ? "ends" : "starts"}, or ${escaped} for the literal characters.`;
    report({ code: "MARK_AS_TEXT", what, fix, start: start + at, end: start + at + mark.length });
    return;
  }
}

/** A link or an element that only begins or only ends between two marks: tags in their place would be crossed. */
const isCrossed = (inner: string): boolean =>
  inner.lastIndexOf("[") > inner.lastIndexOf("]") ||
  (inner.includes("]") && !inner.slice(0, inner.indexOf("]")).includes("[")) ||
  /^<[a-z][^>]*(?<!\/)>/i.test(inner.slice(inner.lastIndexOf("<"))) ||
  inner.startsWith("</", inner.indexOf("<"));

/** `**kwargs` takes all further arguments, and so does another name with a `_`. */
const argumentsOfPython = /^(?:kw)?args\b|^[a-z]+_\w/;

const wordEnd = (text: string, at: number): number => at + /^[^\s\uFFFC]*/.exec(text.slice(at, at + 200))![0].length;
