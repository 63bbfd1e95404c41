/** Marks of other tools, which a page shows as typed. */
import type { Nodes, Paragraph, Parents, PhrasingContent } from "mdast";
import { attempt } from "../../../lib/attempt.js";
import { emojiByName } from "../../icons/emoji.js";
import { inlineCodeFault } from "./code-faults.js";
import { fixesOfTools as fixes } from "./foreign-text.js";
import type { Prose, Report, TextFault } from "./mark-faults.js";

/** What to write, as a sentence; undefined if the match means something else. */
type Fix = (match: readonly string[], typed: string) => string | undefined;

/** What the marks are or do elsewhere, as the end of a sentence, and what to write; `$1` is the first group of the match. */
type Marks = Readonly<Record<string, readonly [pattern: RegExp, fix: string]>>;
const plainMarks: Marks = {
  "inserts a table of contents in other tools; here every page has one beside it": [
    /^(?:\[TOC\]|\[\[[_\uFFFC]?TOC[_\uFFFC]?\]\])$/gim,
    "remove it.",
  ],
  "shows an icon in MkDocs": [
    /(?<![\w:]):(?:material|fontawesome(?:-brands|-solid|-regular)?|octicons|simple)-([a-z\d-]{1,60}?)(?:-\d\d)?:(?![\w:])/g,
    'write <Icon icon="$1" />, with the name of an icon that exists here.',
  ],
  "draws a line in other programs": [/(?<![\s\S])(?:[—–―] ?){1,60}(?![\s\S])/g, "write ---"],
  "is no link, since its title has typographic quotes": [
    /\[([^[\]\n]{1,80})\]\(([^\s()]{1,200}) [“”„]([^“”„"()\n]{1,80})[“”]\)/g,
    'write [$1]($2 "$3")',
  ],
  "breaks no line": [
    /(?<=[\p{Ll}.,;!?)])\\n(?=\p{Lu})/gu,
    "write <br />, or put a blank line there for a new paragraph.",
  ],
  "is a link of AsciiDoc": [
    /(?<!\w)link:(https?:\/\/[^\s[\]]{1,200}|[\w./#-]{1,200})\[([^[\]\n]{1,100})\]/g,
    "write [$2]($1)",
  ],
  "is what Word writes for a reference that it lost": [
    /Error! (?:Reference source not found|Bookmark not defined|Hyperlink reference not valid|Not a valid [a-z]+)\.?/g,
    "write the text that belongs here, or a link.",
  ],
  "is a command of TeX": [/^\\(?:newpage|pagebreak|clearpage|tableofcontents|maketitle)$/gm, "remove it."],
  "defines an abbreviation in other tools": [
    /^\*\[[\p{L}\p{N} ]{1,30}\]:[ \t]+\S.*$/gmu,
    'put <Tooltip tip="…"> … </Tooltip> around the abbreviation.',
  ],
  "starts a definition list in other tools": [
    /(?<=^(?!\s*:)\S.*\n):[ \t]+(?=\S)/gm,
    "write a list: - **Term**: what it means.",
  ],
  "starts a callout in other tools; here only NOTE, TIP, IMPORTANT, WARNING and CAUTION do, alone on a line": [
    /(?<![\s\S])\[!(?!code\b|(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$))\w{2,20}\][^\n]*/gi,
    "replace the quote: put <Note> before the text and </Note> after it.",
  ],
  "is a role of reStructuredText": [
    /(?<![\w:]):(?:ref|doc|class|func|meth|mod|attr|term|file|option|envvar|numref|guilabel|py:\w+):(?=\uFFFC)/g,
    "write a link: [text](/path/of/the/page), or remove it.",
  ],
  "starts a tab in other tools": [/^===[+!]? "([^"\n]{1,80})"$/gm, 'write <Tab title="$1"> … </Tab> inside <Tabs>.'],
  "is a mark that a chat assistant left in its answer": [
    /:contentReference\[oaicite:\d+\](?:\uFFFC{3,12})?|【\d+(?::\d+)?†[^】\n]{0,80}】|【turn\d\w{1,40}】|\bciteturn\d\w+/g,
    "remove it.",
  ],
  "stands for text that a chat assistant left out": [
    /^(?:\.{3}|…) ?[([]?(?:the )?(?:rest|remainder|remaining|existing|previous)\b[^\n]{0,60}(?:unchanged|the same|here|omitted|continues)\b[^\n]{0,20}$/gim,
    "write the text that belongs here.",
  ],
  "is what a chat assistant writes before or after its answer": [
    /(?<![\s\S])(?:Sure|Certainly|Of course)[!,] (?:[Hh]ere(?:['’]s| is| are)|[Bb]elow is|I['’]ve) [^\n]{0,200}:$|^(?:Let me know if you(?:['’]d like| need| want)|Would you like me to|I hope this helps)\b[^\n]{0,200}[.!?]$/gm,
    "remove it.",
  ],
  "sets the anchor of a heading in Fumadocs": [/[ \t]\[(#[a-z][\w-]*)\]$(?<=^\uFFFC{1,6} [^\n]*)/g, "write {$1}"],
  "closes no comment, since the first */} did": [/\*\/\}/g, "remove it, and the {/* inside the comment."],
  "joins a cell with the one above in other tools": [
    /(?<=^[\s\uFFFC]*)\^\^(?=[\s\uFFFC]*$)/g,
    "write the text of that cell again, or <td rowSpan={2}> in a table of HTML.",
  ],
  "is in bold, so its signs start no heading": [
    /(?<=^\uFFFC{2})(#{1,6}) (\S[^\n\uFFFC]{0,80})(?=\uFFFC{2}$)/gm,
    "write $0 without the asterisks.",
  ],
  "is a link in Jira and Confluence": [
    /\[([^[\]|\n\uFFFC]{1,80})\|((?:https?:\/\/|\/|#)[^\s[\]|]{1,200})\](?!\()/g,
    "write [$1]($2)",
  ],
  "is an image in Jira and Confluence": [
    /(?<![\w!])!((?:[\w./-]| (?=\w)){1,80}\.(?:png|jpe?g|gif|svg))(?:\|[^!\n]{0,60})?!(?!\w)/gi,
    "write ![what it shows](/$1)",
  ],
  "starts a block of ReadMe": [
    /^\[block:([a-z-]+)\]/gm,
    "replace the block: put its text between the tags of a component, such as <Note> and </Note>.",
  ],
  "raises text in other tools": [
    /(?<=[\p{L}\p{N})])\^([\p{L}\p{N}+-]{1,12})\^(?![\p{L}\p{N}])/gu,
    "write <sup>$1</sup>",
  ],
  "marks inserted text in other tools": [
    /(?<![\w+^])(\+\+|\^\^)(?=[^\s+^])([^+^\n\uFFFC]{1,80})(?<=[^\s+^])\1(?![\w+^])/g,
    "write <ins>$2</ins>",
  ],
  "includes a file in other tools": [
    /^[@!](?:include|import)[ (]["'\w./-].*$/gm,
    'write <Snippet file="…" />, and put the file into snippets/.',
  ],
  "follows text or spaces, so it is no import or export": [
    /^(?:import|export const)[ \t][\w*\uFFFC, ]{1,120}(?:[ \t]from[ \t]*["'][^"'\n]+["']|=[^\n]+);?$/gm,
    "put it at the beginning of a line, below a blank line.",
  ],
  "imports nothing, since pages have no require": [
    /^(?:const|let|var) (\w{1,60}) = require\((["'][./][^"'\n]{1,200}["'])\);?$/gm,
    "write import $1 from $2;",
  ],
  "has no second $$ for its formula": [
    /(?<!\$)\$\$(?!\$|[ \t]*\|)(?=[^$\n]{0,200}[\\^_=+\uFFFC])(?=[^$]*$)/g,
    "write $$ where the formula ends, or \\$\\$ for the characters.",
  ],
  "starts code in AsciiDoc": [
    /^\[source(?:,[ \t]*(\w{1,20}))?\]$/gm,
    "write ```$1 on the line before the code, and ``` after it.",
  ],
  "names a paragraph in Obsidian": [
    /(?<=\S )\^((?=[a-z-]*[\d-])[a-z\d][a-z\d-]{3,40})(?![\s\S])/g,
    'remove it; for a link to the paragraph, put <a id="$1"></a> before it.',
  ],
  "makes no heading of the line above, because of its last characters": [
    /(?<=[^\n]\n)(={3,200})[^\s=]{1,3}$/gm,
    "write $1",
  ],
  "is a tag with full-width signs": [
    /＜(\/?(?:Note|Tip|Info|Warning|Check|Callout|Card|CardGroup|Columns|Tabs?|Steps?|Accordion|AccordionGroup|Frame|CodeGroup)[^＜＞\n]{0,100})＞/g,
    "write <$1>",
  ],
  "is bold text with full-width signs": [/＊{2}([^＊\n]{1,80})＊{2}/g, "write **$1**"],
  "is code with full-width signs": [/｀([^｀\n]{1,80})｀/g, "write `$1`"],
  "is a comment of Obsidian": [/(?<![\w%])%%[ \t]?((?=[^\s%{])[^%\n]{1,200}?)[ \t]*%%(?![\w%])/g, "write {/* $1 */}"],
};
/** What the marks do to the whole paragraph. */
const marksOfParagraphs: Marks = {
  "does not start or end a code block": [
    /(?<![\s\S])(?:'{3}|"{3}|´{3}|‘{3}|’{3}|“{3}|”{3})[\w-]*$/gm,
    "write ``` instead, on the lines before and after the code.",
  ],
  "is TeX outside a formula": [
    /\\(?:frac|sqrt|mathbf|mathrm|mathbb|begin)(?=\uFFFC|\{)/g,
    "put $ before and after the formula, or $$ on the lines around it.",
  ],
};
/** What the marks are or do elsewhere, as the end of a sentence, and what to write: where a template cannot say it. */
const computedMarks: Readonly<Record<string, readonly [pattern: RegExp, fix: Fix]>> = {
  "is emoji syntax of other tools": [
    /(?<![\w:]):([a-z\d_+-]{1,24}):(?![\w:])/g,
    ([, name = ""]) => {
      const emoji = emojiByName().get(name);
      return emoji && `write ${emoji}`;
    },
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
const fixedMarks = Object.entries({ ...marksOfParagraphs, ...plainMarks }).map(([what, [pattern, template]]) => {
  const fix: Fix = (match) => template.replace(/\$(\d)/g, (_, group) => match[group] ?? "");
  return [what, pattern, fix] as const;
});
const foreignMarks = [...fixedMarks, ...Object.entries(computedMarks).map(([what, mark]) => [what, ...mark] as const)];

/** What every foreign mark has. */
const mayBeForeign =
  /[:=^$|!【—–―＜＊｀]|\*\/\}|^(?:Let me|Would you|I hope|\.{3}|…)|\[[![/]|\[toc|Error!|\[#|(?:^|\n)(?:\/\/ |'''|"""|´´´|‘‘‘|’’’|“““|”””|\.\. |%%|\/\*|h\d\. |[@!]i|\[source|import|export)|\+\+|\uFFFC#|citeturn|\\[a-z]|%%| [“”„]/i;

/** Marks that other tools read, in a paragraph, heading or cell. */
export function checkForeignMarks({ text, start }: Prose, source: string, report: Report): void {
  if (!mayBeForeign.test(text)) return;
  for (const [what, pattern, fix] of foreignMarks)
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
      const range = { start: at, end, ...(Object.hasOwn(marksOfParagraphs, what) && { until: start + text.length }) };
      report({ code: "FOREIGN_MARKUP", what: shown, fix: advice, ...range, replacement });
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
