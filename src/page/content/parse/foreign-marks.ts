/** Marks of other tools, which a page shows as typed. */
import type { Nodes, Paragraph, Parents, PhrasingContent } from "mdast";
import { attempt } from "../../../lib/attempt.js";
import emojiNames from "../../../lib/emoji.json" with { type: "json" };
import { inlineCodeFault } from "./code-faults.js";
import { fixesOfTools as fixes } from "./foreign-text.js";
import type { Prose, Report, TextFault } from "./mark-faults.js";
import marks from "./marks-of-tools.json" with { type: "json" };

/** By name, without its colons. */
const emoji: Readonly<Record<string, string>> = Object.assign(Object.create(null), emojiNames);

/** What to write, as a sentence; undefined if the match means something else. */
type Fix = (match: readonly string[], typed: string) => string | undefined;

/** `/pattern/flags => fix`; `$1` in the fix is the first group of the match. */
const readMarks = (table: Readonly<Record<string, string>>): readonly (readonly [what: string, RegExp, Fix])[] =>
  Object.entries(table).map(([what, row]) => {
    const [, pattern = "", flags, fix = ""] = /^\/(.*)\/([a-z]+) => (.*)$/.exec(row)!;
    return [what, new RegExp(pattern, flags), (match) => fix.replace(/\$(\d)/g, (_, group) => match[group] ?? "")];
  });
/** What the marks do to the whole paragraph. */
const marksOfParagraphs = readMarks(marks.marksOfParagraphs);
/** What the marks are or do elsewhere, as the end of a sentence, and what to write: where a template cannot say it. */
const computedMarks: Readonly<Record<string, readonly [pattern: RegExp, fix: Fix]>> = {
  "is emoji syntax of other tools": [
    /(?<![\w:]):([a-z\d_+-]{1,24}):(?![\w:])/g,
    ([, name = ""]) => (emoji[name] === undefined ? undefined : `write ${emoji[name]}`),
  ],
  "is wiki link syntax": [
    /!?\[\[(?!_?toc_?\]\])(?=[^[\]\n]{0,80}\p{L})([\p{L}\p{N}][\p{L}\p{N} _/.#^-]{0,80})(?:\|([^[\]\n]{1,80}))?\]\](?![[(])/giu,
    ([typed = "", page = "", words = page]) =>
      typed.startsWith("!")
        ? `write ![what it shows](/${page})`
        : `write [${words}](/${page
            .replace(/#?\^.*/, "")
            .replace(/ /g, "-")
            .toLowerCase()})`,
  ],
  "highlights text in other tools": [
    /(?<![=\w!<>])==(?=[^\s=])([^=\n]{1,80})(?<=[^\s=])==(?![=\w])/g,
    ([, words = ""]) =>
      words.includes("\uFFFC") ? "put <mark> and </mark> around the text." : `write <mark>${words}</mark>`,
  ],
  "is a footnote within the text in other tools": [
    /\^\[(?=[^\]\n]{0,200}\p{L})[^[\]\n\\]{2,300}\](?![(+*?])/gu,
    ([typed = ""]) => `write [^note] here, and [^note]: ${typed.slice(2, -1).slice(0, 60)} on a line of its own.`,
  ],
  "is AsciiDoc": [
    /^={2,6} (?=[^=\s"])[^=\n]{1,100}$|^(?:image|include|video|ifdef)::\S{0,200}\[[^\]\n]{0,100}\]$/gm,
    ([typed = ""]) =>
      typed.startsWith("=")
        ? `write ${typed.replace(/^=+/, (level) => "#".repeat(level.length))}`
        : fixes.directives.get(typed.slice(0, typed.indexOf(":"))),
  ],
  "stands for a character in JSON and in programs": [
    /\\u[\da-f]{4}(?![\da-f])/gi,
    ([typed = ""]) => {
      const character = String.fromCharCode(Number.parseInt(typed.slice(2), 16));
      return /[\p{L}\p{P}\p{S}]/u.test(character) ? `write ${character}` : undefined;
    },
  ],
  "is a directive of reStructuredText": [
    /^\.\. ([a-z][\w-]*)::.*$/gm,
    ([, name = ""]) => fixes.directives.get(name) ?? "put <Note> before the text and </Note> after it.",
  ],
  "is a comment in other tools": [
    /^\/\*[^*\n]{1,200}\*\/$|(?<![\s\S])\/\/ [^\n\uFFFC]{2,200}(?![\s\S])/gm,
    ([typed = ""]) => `write {/* ${typed.replace(/^..|\*\/$/g, "").trim()} */}`,
  ],
  "is a formula on GitHub": [
    /(?<![\w$])\$(\uFFFC{3,200})\$(?![\w$])/g,
    (_, typed) => (/^\$`[^`]+`\$$/.test(typed) ? `write $${typed.slice(2, -2).trim()}$` : undefined),
  ],
  "names keys in MkDocs": [
    /(?<![\w+])\+\+([a-z]+(?:\+[a-z\d]+){1,4})\+\+(?![\w+])/g,
    ([, keys = ""]) => `write ${keys.replace(/[^+]+/g, "<kbd>$&</kbd>")}`,
  ],
  "is a tag of BBCode or of WordPress": [
    /\[([a-z][\w-]{0,30})(?:[ =][^\][\n]{0,200})?\][^[]{0,500}\[\/\1\]/g,
    ([, name = ""]) => fixes.bbCodes.get(name) ?? "write the Markdown or the component that it stands for.",
  ],
  "is a heading in Jira": [
    /^h([1-6])\. (\S[^\n\uFFFC]{0,80})$/gm,
    ([, level = "2", words = ""]) => `write ${"#".repeat(Number(level))} ${words}`,
  ],
  "sets the size of an image in other tools": [
    /!\[([^\]\n]*)\]\((\S+) =(\d*)x(\d*)\)/g,
    ([, alt = "", url = "", width = "", height = ""]) =>
      `write <img src="${url}" alt="${alt}"${width && ` width="${width}"`}${height && ` height="${height}"`} />`,
  ],
  "starts with a capital letter, so it imports nothing": [
    /^Import [\w*\uFFFC, ]{1,120} from ["'][./][^"'\n]+["'];?$/gm,
    (_, typed) => `write ${typed.replace("Import", "import")}`,
  ],
  "has spaces next to its dollar signs, so it is no formula": [
    /(?<![\w$])\$[ \t]+(?=[^$\n]{0,80}(?:[\^_]\w|\\[a-z]{2,}))[^$\n]{1,160}?[ \t]+\$(?![\w$])/g,
    (_, typed) => `write $${typed.slice(1, -1).trim()}$`,
  ],
};
const foreignMarks = [
  ...marksOfParagraphs,
  ...readMarks(marks.marks),
  ...Object.entries(computedMarks).map(([what, mark]) => [what, ...mark] as const),
];

/** What every foreign mark has. */
const mayBeForeign =
  /[:=^$|!【—–―＜＊｀]|\*\/\}|^(?:Let me|Would you|I hope|\.{3}|…)|\[[![/]|\[toc|Error!|\[#|(?:^|\n)(?:\/\/ |'''|"""|´´´|‘‘‘|’’’|“““|”””|\.\. |%%|\/\*|h\d\. |[@!]i|\[source|import|export)|\+\+|\uFFFC#|citeturn|\\[a-z]|%%| [“”„]/i;

/** Marks that other tools read, in a paragraph, heading or cell. */
export function checkForeignMarks({ text, start }: Prose, source: string, report: Report): void {
  if (!mayBeForeign.test(text)) return;
  for (const mark of foreignMarks) {
    const [what, pattern, fix] = mark;
    for (const match of text.matchAll(pattern)) {
      const at = start + match.index;
      const end = at + match[0].length;
      const advice = fix(match, source.slice(at, end));
      if (advice === undefined) continue;
      const typed = match[0]
        .replace(/\uFFFC+/g, "…")
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, 60);
      const replacement = /^write (\P{ASCII}+|<(mark|ins|sup)>.*<\/\2>)$/u.exec(advice)?.[1];
      const shown = `"${typed}" is shown as text: it ${what}.`;
      const range = { start: at, end, ...(marksOfParagraphs.includes(mark) && { until: start + text.length }) };
      report({ code: "FOREIGN_MARKUP", what: shown, fix: advice, ...range, replacement });
    }
  }
}

/** Parts of a paragraph that other tools read in another way, or that only look like marks. */
export function checkParts({ children }: Paragraph, source: string, report: Report): void {
  for (const [index, node] of children.entries()) {
    if (node.position === undefined) continue;
    const [start, end] = [node.position.start.offset!, node.position.end.offset!];
    const fault = partFault(node, children[index - 1], source, start, end);
    if (fault) report({ start, end, ...fault });
  }
}

/** A bare URL that the parser ends too late: it takes Chinese or Japanese punctuation or a link, which follows without a space. */
export const overlongAddress =
  /^((?:https?:\/\/|www\.)[^\s（）「」『』【】《》、。，；！？]+?)(?:[（）「」『』【】《》、。，；！？]|["'*]{0,3}\)\[)/;

/** Addresses that programs put in place of a link's own, with the own one in their query. */
const detour =
  /^https:\/\/(?:www\.google\.com\/url\?(?:[^#]*&)?(?:q|url)|[\w.-]+\.safelinks\.protection\.outlook\.com\/\?(?:[^#]*&)?url)=([^&#\s]+)/;
const targetOf = (url: string): string | undefined => {
  const target = attempt(() => decodeURIComponent(detour.exec(url)?.[1] ?? ""));
  return target && /^https?:\/\/[^\s()<>]+$/.test(target) ? target : undefined;
};
/** Where the address of a link is typed. */
function inUrl(typed: string, start: number, replacement: string): Partial<TextFault> {
  const [all = "", before = "", url = ""] = /^(\[[^\]]*\]\()([^\s)]*)/.exec(typed) ?? [];
  return all === "" ? {} : { start: start + before.length, end: start + before.length + url.length, replacement };
}

/** The fault of an `<a>` with another link in it, which is shown as text; the parser makes links of bare URLs, too. */
export function linkInside(node: Nodes, source: string): TextFault | undefined {
  const pending: Nodes[] = "children" in node ? [...node.children] : [];
  for (let inner = pending.pop(); inner !== undefined; inner = pending.pop()) {
    const [start, end] = [inner.position?.start.offset ?? 0, inner.position?.end.offset ?? 0];
    const isLink = inner.type === "link" && source[start] === "[";
    if (isLink || ((inner as { name?: string }).name === "a" && inner.type.startsWith("mdxJsx")))
      return {
        code: "LINK_AS_TEXT",
        what: "The link is shown as text: the <a> around it is a link, too.",
        fix: "remove the <a> around it, or write the two links one after the other.",
        ...{ start, end },
      };
    if ("children" in inner) pending.push(...inner.children);
  }
  return undefined;
}

function partFault(
  node: PhrasingContent,
  before: PhrasingContent | undefined,
  source: string,
  start: number,
  end: number,
): (Pick<TextFault, "code" | "what" | "fix"> & Partial<TextFault>) | undefined {
  const typed = source.slice(start, end);
  const asMarkup = (what: string, fix: string) => ({ code: "FOREIGN_MARKUP", what, fix });
  const asMark = (what: string, fix: string) => ({ code: "MARK_AS_TEXT", what, fix });
  const asLink = (what: string, fix: string) => ({ code: "LINK_AS_TEXT", what, fix });
  // `![x](a.png){width=300}`: other tools read attributes, MDX an assignment whose value it shows.
  if ((node.type as string) === "mdxTextExpression") {
    const [, name, quote, value] =
      /^\s*(\w+)\s*=\s*(["']?)([\w%]+)\2\s*$/.exec((node as { value?: string }).value ?? "") ?? [];
    const what = `"${typed}" sets attributes in other tools; here its value is shown.`;
    if (before?.type !== "image" && before?.type !== "link") return quote ? asMarkup(what, "remove it.") : undefined;
    const tag = before.type === "image" ? ['<img src="…" alt="…"', " />"] : ['<a href="…"', ">…</a>"];
    return name === undefined ? undefined : asMarkup(what, `write ${tag[0]} ${name}="${value}"${tag[1]}`);
  }
  const target = node.type === "link" ? targetOf(node.url) : undefined;
  if (target !== undefined)
    return {
      ...asMarkup("The link leads through the program that it was copied from.", `write ${target}`),
      ...inUrl(typed, start, target),
    };
  const inner = (node as { name?: string }).name === "a" ? linkInside(node, source) : undefined;
  if (inner) return { ...inner };
  const address = node.type === "link" ? overlongAddress.exec(typed)?.[1] : undefined;
  if (address !== undefined && source.slice(start - 2, start) === "](")
    return asLink(
      `The link is shown as text: "${typed[address.length]}" does not end its URL.`,
      `write ${address}) in place of ${typed.slice(0, address.length + 1)}`,
    );
  if (address !== undefined)
    return asLink(
      `The link goes on to "${typed.slice(-10)}", because ${typed[address.length]} does not end a URL.`,
      `write [${address}](${address})`,
    );
  const [left, right] = [source[start - 1] ?? "", source.slice(end, end + 4)];
  if (node.type === "delete" && /[\p{L})\]]/u.test(left) && /^~[\p{L}\p{N}+-]{1,4}~$/u.test(typed))
    return asMarkup(
      `"${typed}" is shown struck through: it lowers text in other tools.`,
      `write <sub>${typed.slice(1, -1)}</sub>`,
    );
  const isOfPython = /^__(?:init|main|name|str|repr|len|iter|dict|slots|eq|[gs]etitem|pycache)__$/.test(typed);
  const isName = isOfPython || (/^__[a-z]+__$/.test(typed) && /^(?:\.[a-z]|\()/.test(right));
  if (node.type === "strong" && isName && /^\W?$/.test(left))
    return asMark(`${typed} is shown in bold, without its underscores.`, `write \`${typed}\``);
  if (node.type === "emphasis" && /\d/.test(left) && /^\*[\d.]+\*$/.test(typed) && /^\d/.test(right))
    return asMark(`"${typed}" is shown in italics, without its asterisks.`, `write ${typed.replaceAll("*", "\\*")}`);
  const spoiled = node.type === "inlineCode" ? inlineCodeFault(node.value, typed) : undefined;
  if (spoiled) return asMark(...spoiled);
  // A sign of emphasis next to its marks: `***bold** text`, `__bold_`.
  const [mark, marks] = [source[start]!, node.type === "strong" ? 2 : node.type === "emphasis" ? 1 : 0];
  const isBefore = left === mark && source[start - 2] !== "\\";
  if (marks > 0 && isBefore !== (source[end] === mark))
    return {
      ...asMark(
        `${mark} is shown as text: the marks before and after the text have different lengths.`,
        `write the same marks on both sides, or \\${mark} for the literal character.`,
      ),
      ...(isBefore ? { start: start - 1, end: start + marks } : { start: end - marks, end: end + 1 }),
    };
  return undefined;
}

/** `[!NOTE]` starts a callout only in a quote; `>! text` hides a text elsewhere. */
export function checkAlert({ text, start }: Prose, parent: Parents, report: Report): void {
  const isQuote = parent.type === "blockquote";
  const match = (isQuote ? /^!(?=[ \p{L}])/u : /^\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]/i).exec(text);
  if (match)
    report({
      code: "FOREIGN_MARKUP",
      what: isQuote
        ? "The ! is shown as text: >! hides a text in other tools."
        : `${match[0]} is shown as text: it starts a callout only in a quote.`,
      fix: isQuote
        ? 'put <Accordion title="…"> before the text and </Accordion> after it, in place of the >! signs.'
        : "write > before each line of the callout.",
      start,
      end: start + (isQuote ? /^.*/.exec(text)! : match)[0].length,
    });
}
