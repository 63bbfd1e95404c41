/** Marks of other tools, which a page shows as typed. */
import type { Paragraph, Parents, PhrasingContent } from "mdast";
import emojiNames from "../../../lib/emoji.json" with { type: "json" };
import type { Prose, Report, TextFault } from "./mark-faults.js";

/** By name, without its colons. */
const emoji: Readonly<Record<string, string>> = Object.assign(Object.create(null), emojiNames);

interface ForeignMark {
  readonly pattern: RegExp;
  readonly what: string;
  /** What to write, as a sentence; undefined if the match means something else. */
  readonly fix: (match: readonly string[], typed: string) => string | undefined;
}

const foreignMarks: readonly ForeignMark[] = [
  {
    pattern: /(?<![\w:]):([a-z\d_+-]{1,24}):(?![\w:])/g,
    what: "is emoji syntax of other tools",
    fix: ([, name = ""]) => (emoji[name] === undefined ? undefined : `write ${emoji[name]}`),
  },
  {
    pattern: /^(?:\[TOC\]|\[\[_?TOC_?\]\])$/gim,
    what: "inserts a table of contents in other tools; here every page has one beside it",
    fix: () => "remove it.",
  },
  {
    pattern:
      /!?\[\[(?!_?toc_?\]\])(?=[^[\]\n]{0,80}\p{L})([\p{L}\p{N}][\p{L}\p{N} _/.#-]{0,80})(?:\|([^[\]\n]{1,80}))?\]\](?![[(])/giu,
    what: "is wiki link syntax",
    fix: ([typed = "", page = "", words = page]) =>
      typed.startsWith("!")
        ? `write ![what it shows](/${page})`
        : `write [${words}](/${page.replace(/ /g, "-").toLowerCase()})`,
  },
  {
    pattern: /(?<![=\w!<>])==(?=[^\s=])([^=\n]{1,80})(?<=[^\s=])==(?![=\w])/g,
    what: "highlights text in other tools",
    fix: ([, words = ""]) =>
      words.includes("\uFFFC") ? "put <mark> and </mark> around the text." : `write <mark>${words}</mark>`,
  },
  {
    pattern: /(?<![\w:]):(?:material|fontawesome|octicons|simple)-([a-z\d-]{1,60}):(?![\w:])/g,
    what: "shows an icon in MkDocs",
    fix: ([, name = ""]) => `write <Icon icon="${name.split("-")[0]}" />, with the name of an icon that exists here.`,
  },
  {
    pattern: /\^\[(?=[^\]\n]{0,200}\p{L})[^[\]\n\\]{2,300}\](?![(+*?])/gu,
    what: "is a footnote within the text in other tools",
    fix: ([typed = ""]) => `write [^note] here, and [^note]: ${typed.slice(2, -1).slice(0, 60)} on a line of its own.`,
  },
  {
    pattern: /^(?:[—–―] ?){1,60}$/gm,
    what: "draws a line in other programs",
    fix: () => "write ---",
  },
  {
    pattern: /(?<![\w%])%%(?=[^\s%])[^%\n]{1,200}%%(?![\w%])/g,
    what: "is a comment of Obsidian",
    fix: ([typed = ""]) => `write {/* ${typed.slice(2, -2).trim()} */}`,
  },
  {
    pattern: /\[([^[\]\n]{1,80})\]\(([^\s()]{1,200}) [“”„]([^“”„"()\n]{1,80})[“”]\)/g,
    what: "is no link, since its title has typographic quotes",
    fix: ([, words = "", url = "", title = ""]) => `write [${words}](${url} "${title}")`,
  },
  {
    pattern: /(?<=[\p{Ll}.,;!?)])\\n(?=\p{Lu})/gu,
    what: "breaks no line",
    fix: () => "write <br />, or put a blank line there for a new paragraph.",
  },
  {
    pattern: /(?<=[^\n]\n)={3,200}[^\s=]{1,3}$/gm,
    what: "makes no heading of the line above, because of its last characters",
    fix: ([typed = ""]) => `write ${typed.replace(/[^=]/g, "")}`,
  },
  {
    pattern: /^={2,6} (?=[^=\s"])[^=\n]{1,100}$|^(?:image|include|video|ifdef)::\S{0,200}\[[^\]\n]{0,100}\]$/gm,
    what: "is AsciiDoc",
    fix: ([typed = ""]) =>
      typed.startsWith("=")
        ? `write ${typed.replace(/^=+/, (level) => "#".repeat(level.length))}`
        : directives[typed.slice(0, typed.indexOf(":"))],
  },
  {
    pattern: /(?<!\w)link:(https?:\/\/[^\s[\]]{1,200}|[\w./#-]{1,200})\[([^[\]\n]{1,100})\]/g,
    what: "is a link of AsciiDoc",
    fix: ([, url = "", words = ""]) => `write [${words}](${url})`,
  },
  {
    pattern:
      /Error! (?:Reference source not found|Bookmark not defined|Hyperlink reference not valid|Not a valid [a-z]+)\.?/g,
    what: "is what Word writes for a reference that it lost",
    fix: () => "write the text that belongs here, or a link.",
  },
  {
    pattern: /^\\(?:newpage|pagebreak|clearpage|tableofcontents|maketitle)$/gm,
    what: "is a command of TeX",
    fix: () => "remove it.",
  },
  {
    pattern: /\\u[\da-f]{4}(?![\da-f])/gi,
    what: "stands for a character in JSON and in programs",
    fix: ([typed = ""]) => {
      const character = String.fromCharCode(Number.parseInt(typed.slice(2), 16));
      return /[\p{L}\p{P}\p{S}]/u.test(character) ? `write ${character}` : undefined;
    },
  },
  {
    pattern: /^\*\[[\p{L}\p{N} ]{1,30}\]:[ \t]+\S.*$/gmu,
    what: "defines an abbreviation in other tools",
    fix: () => 'put <Tooltip tip="…"> … </Tooltip> around the abbreviation.',
  },
  {
    pattern: /(?<=^(?!\s*:)\S.*\n):[ \t]+(?=\S)/gm,
    what: "starts a definition list in other tools",
    fix: () => "write a list: - **Term**: what it means.",
  },
  {
    pattern: /(?<![\s\S])\[!(?!code\b|(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$))\w{2,20}\][^\n]*/gi,
    what: "starts a callout in other tools; here only NOTE, TIP, IMPORTANT, WARNING and CAUTION do, alone on a line",
    fix: () => "replace the quote: put <Note> before the text and </Note> after it.",
  },
  {
    pattern: /(?<![\s\S])(?:'{3}|"{3}|´{3}|‘{3}|’{3}|“{3}|”{3})[\w-]*$/gm,
    what: "does not start or end a code block",
    fix: () => "write ``` instead, on the lines before and after the code.",
  },
  {
    pattern: /^\.\. ([a-z][\w-]*)::.*$/gm,
    what: "is a directive of reStructuredText",
    fix: ([, name = ""]) => directives[name] ?? "put <Note> before the text and </Note> after it.",
  },
  {
    pattern:
      /(?<![\w:]):(?:ref|doc|class|func|meth|mod|attr|term|file|option|envvar|numref|guilabel|py:\w+):(?=\uFFFC)/g,
    what: "is a role of reStructuredText",
    fix: () => "write a link: [text](/path/of/the/page), or remove it.",
  },
  {
    pattern: /^===[+!]? "([^"\n]{1,80})"$/gm,
    what: "starts a tab in other tools",
    fix: ([, title = ""]) => `write <Tab title="${title}"> … </Tab> inside <Tabs>.`,
  },
  {
    pattern: /^%%(?!\{)[^\n]{0,200}?%%$|^\/\*[^*\n]{1,200}\*\/$|(?<![\s\S])\/\/ [^\n\uFFFC]{2,200}(?![\s\S])/gm,
    what: "is a comment in other tools",
    fix: ([typed = ""]) => `write {/* ${typed.replace(/^..|(?:%%|\*\/)$/g, "").trim()} */}`,
  },
  {
    pattern: /:contentReference\[oaicite:\d+\](?:\uFFFC{3,12})?|【\d+(?::\d+)?†[^】\n]{0,80}】|\bciteturn\d\w+/g,
    what: "is a mark that a chat assistant left in its answer",
    fix: () => "remove it.",
  },
  {
    pattern:
      /(?<![\s\S])(?:Sure|Certainly|Of course)[!,] (?:[Hh]ere(?:['’]s| is| are)|[Bb]elow is|I['’]ve) [^\n]{0,200}:$|^(?:Let me know if you(?:['’]d like| need| want)|Would you like me to|I hope this helps)\b[^\n]{0,200}[.!?]$/gm,
    what: "is what a chat assistant writes before or after its answer",
    fix: () => "remove it.",
  },
  {
    pattern: /[ \t]\[(#[a-z][\w-]*)\]$(?<=^\uFFFC{1,6} [^\n]*)/g,
    what: "sets the anchor of a heading in Fumadocs",
    fix: ([, id = ""]) => `write {${id}}`,
  },
  {
    pattern:
      /＜\/?(?:Note|Tip|Info|Warning|Check|Callout|Card|CardGroup|Columns|Tabs?|Steps?|Accordion|AccordionGroup|Frame|CodeGroup)[^＜＞\n]{0,100}＞/g,
    what: "is a tag with full-width signs",
    fix: ([typed = ""]) => `write <${typed.slice(1, -1)}>`,
  },
  {
    pattern: /(?<=^\uFFFC{2})(#{1,6}) (\S[^\n\uFFFC]{0,80})(?=\uFFFC{2}$)/gm,
    what: "is in bold, so its signs start no heading",
    fix: ([typed = ""]) => `write ${typed} without the asterisks.`,
  },
  {
    pattern: /\[(b|i|u|s|code|url|img|quote)(?:=[^\]\n]{0,200})?\][^[\n]{0,200}\[\/\1\]/g,
    what: "is BBCode",
    fix: ([, name = ""]) => bbCodes[name],
  },
  {
    pattern: /^h([1-6])\. (\S[^\n\uFFFC]{0,80})$/gm,
    what: "is a heading in Jira",
    fix: ([, level = "2", words = ""]) => `write ${"#".repeat(Number(level))} ${words}`,
  },
  {
    pattern: /\[([^[\]|\n\uFFFC]{1,80})\|((?:https?:\/\/|\/|#)[^\s[\]|]{1,200})\](?!\()/g,
    what: "is a link in Jira and Confluence",
    fix: ([, words = "", url = ""]) => `write [${words}](${url})`,
  },
  {
    pattern: /(?<![\w!])!((?:[\w./-]| (?=\w)){1,80}\.(?:png|jpe?g|gif|svg))(?:\|[^!\n]{0,60})?!(?!\w)/gi,
    what: "is an image in Jira and Confluence",
    fix: ([, file = ""]) => `write ![what it shows](/${file})`,
  },
  {
    pattern: /^\[block:([a-z-]+)\]/gm,
    what: "starts a block of ReadMe",
    fix: () => "replace the block: put its text between the tags of a component, such as <Note> and </Note>.",
  },
  {
    pattern: /(?<=[\p{L}\p{N})])\^([\p{L}\p{N}+-]{1,12})\^(?![\p{L}\p{N}])/gu,
    what: "raises text in other tools",
    fix: ([, words = ""]) => `write <sup>${words}</sup>`,
  },
  {
    pattern: /(?<![\w+])\+\+(?=[^\s+])([^+\n\uFFFC]{1,80})(?<=[^\s+])\+\+(?![\w+])/g,
    what: "marks inserted text in other tools",
    fix: ([, words = ""]) => `write <ins>${words}</ins>`,
  },
  {
    pattern: /^[@!](?:include|import)[ (]["'\w./-].*$/gm,
    what: "includes a file in other tools",
    fix: () => 'write <Snippet file="…" />, and put the file into snippets/.',
  },
  {
    pattern: /!\[([^\]\n]*)\]\((\S+) =(\d*)x(\d*)\)/g,
    what: "sets the size of an image in other tools",
    fix: ([, alt = "", url = "", width = "", height = ""]) =>
      `write <img src="${url}" alt="${alt}"${width && ` width="${width}"`}${height && ` height="${height}"`} />`,
  },
  {
    pattern: /^(?:import|export const)[ \t][\w*\uFFFC, ]{1,120}(?:[ \t]from[ \t]*["'][^"'\n]+["']|=[^\n]+);?$/gm,
    what: "follows text or spaces, so it is no import or export",
    fix: () => "put it at the beginning of a line, below a blank line.",
  },
  {
    pattern: /^Import [\w*\uFFFC, ]{1,120} from ["'][./][^"'\n]+["'];?$/gm,
    what: "starts with a capital letter, so it imports nothing",
    fix: (_, typed) => `write ${typed.replace("Import", "import")}`,
  },
  {
    pattern: /(?<!\$)\$\$(?!\$|[ \t]*\|)(?=[^$\n]{0,200}[\\^_=+\uFFFC])(?=[^$]*$)/g,
    what: "has no second $$ for its formula",
    fix: () => "write $$ where the formula ends, or \\$\\$ for the characters.",
  },
  {
    pattern: /(?<![\w$])\$[ \t]+(?=[^$\n]{0,80}(?:[\^_]\w|\\[a-z]{2,}))[^$\n]{1,160}?[ \t]+\$(?![\w$])/g,
    what: "has spaces next to its dollar signs, so it is no formula",
    fix: (_, typed) => `write $${typed.slice(1, -1).trim()}$`,
  },
  {
    pattern: /\\(?:frac|sqrt|mathbf|mathrm|mathbb|begin|end)(?=\uFFFC|\{)/g,
    what: "is TeX outside a formula",
    fix: () => "put $ before and after the formula, or $$ on the lines around it.",
  },
];

const bbCodes: Readonly<Record<string, string>> = {
  ...{ b: "write **…**", i: "write *…*", u: "write <u>…</u>", s: "write ~~…~~", code: "write `…`" },
  ...{ url: "write [text](…)", img: "write ![what it shows](…)", quote: "write > before each line." },
};

/** What a directive of reStructuredText is here; most others are callouts. */
const directives: Readonly<Record<string, string>> = {
  "code-block": "put ``` on the lines before and after the code.",
  image: "write ![what it shows](/path/of/the/image.png)",
  figure: "write ![what it shows](/path/of/the/image.png)",
  include: 'write <Snippet file="…" />, and put the file into snippets/.',
};

/** What every foreign mark has. */
const mayBeForeign =
  /[:=^$|!【—–―＜]|^(?:Let me|Would you|I hope)|\[[![/]|\[toc|Error!|\[#|(?:^|\n)(?:\/\/ |'''|"""|´´´|‘‘‘|’’’|“““|”””|\.\. |%%|\/\*|h\d\. |[@!]i|import|export)|\+\+|\uFFFC#|citeturn|\\[a-z]|%%| [“”„]/i;

/** Marks that other tools read, in a paragraph, heading or cell. */
export function checkForeignMarks({ text, start }: Prose, source: string, report: Report): void {
  if (!mayBeForeign.test(text)) return;
  for (const { pattern, what, fix } of foreignMarks)
    for (const match of text.matchAll(pattern)) {
      const advice = fix(match, source.slice(start + match.index, start + match.index + match[0].length));
      if (advice === undefined) continue;
      const at = start + match.index;
      const typed = match[0]
        .replace(/\uFFFC+/g, "…")
        .trim()
        .slice(0, 60);
      const replacement = /^write (\P{ASCII}+|<(mark|ins|sup)>.*<\/\2>)$/u.exec(advice)?.[1];
      const end = at + match[0].length;
      report({
        code: "FOREIGN_MARKUP",
        what: `"${typed}" is shown as text: it ${what}.`,
        fix: advice,
        start: at,
        end,
        ...(replacement !== undefined && { edits: [{ start: at, end, replacement, certain: true }] }),
      });
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

/** A bare URL that the parser ends too late: Chinese or Japanese punctuation, which follows without a space, is read as part of it. */
export const overlongAddress =
  /^((?:https?:\/\/|www\.)[^\s（）「」『』【】《》、。，；！？]+)[（）「」『』【】《》、。，；！？]/;

function partFault(
  node: PhrasingContent,
  before: PhrasingContent | undefined,
  source: string,
  start: number,
  end: number,
): (Pick<TextFault, "code" | "what" | "fix"> & Partial<TextFault>) | undefined {
  const typed = source.slice(start, end);
  const code = "FOREIGN_MARKUP";
  // `![x](a.png){width=300}`: other tools read attributes, MDX an assignment whose value it shows.
  if ((node.type as string) === "mdxTextExpression" && (before?.type === "image" || before?.type === "link")) {
    const [, name, value] =
      /^\s*(\w+)\s*=\s*["']?([\w%]+)["']?\s*$/.exec((node as { value?: string }).value ?? "") ?? [];
    const what = `"${typed}" sets attributes in other tools; here its value is shown.`;
    const tag = before.type === "image" ? ['<img src="…" alt="…"', " />"] : ['<a href="…"', ">…</a>"];
    return name === undefined ? undefined : { code, what, fix: `write ${tag[0]} ${name}="${value}"${tag[1]}` };
  }
  const address = node.type === "link" ? overlongAddress.exec(typed)?.[1] : undefined;
  if (address !== undefined && source.slice(start - 2, start) === "](")
    return {
      code: "LINK_AS_TEXT",
      what: `The link is shown as text: "${typed[address.length]}" does not end its URL.`,
      fix: `write ${address}) in place of ${typed.slice(0, address.length + 1)}`,
    };
  if (address !== undefined)
    return {
      code: "LINK_AS_TEXT",
      what: `The link goes on to "${typed.slice(-10)}", because ${typed[address.length]} does not end a URL.`,
      fix: `write [${address}](${address})`,
    };
  const [left, right] = [source[start - 1] ?? "", source.slice(end, end + 4)];
  if (node.type === "delete" && /[\p{L})\]]/u.test(left) && /^~[\p{L}\p{N}+-]{1,4}~$/u.test(typed))
    return {
      ...{ code, what: `"${typed}" is shown struck through: it lowers text in other tools.` },
      fix: `write <sub>${typed.slice(1, -1)}</sub>`,
    };
  const isOfPython = /^__(?:init|main|name|str|repr|len|iter|dict|slots|eq|[gs]etitem|pycache)__$/.test(typed);
  const isName = isOfPython || (/^__[a-z]+__$/.test(typed) && /^(?:\.[a-z]|\()/.test(right));
  if (node.type === "strong" && isName && /^\W?$/.test(left))
    return {
      ...{ code: "MARK_AS_TEXT", what: `${typed} is shown in bold, without its underscores.` },
      fix: `write \`${typed}\``,
    };
  if (node.type === "emphasis" && /\d/.test(left) && /^\*[\d.]+\*$/.test(typed) && /^\d/.test(right))
    return {
      ...{ code: "MARK_AS_TEXT", what: `"${typed}" is shown in italics, without its asterisks.` },
      fix: `write ${typed.replaceAll("*", "\\*")}`,
    };
  if (node.type === "inlineCode") {
    const escaped = /[a-z\d]\\[_*](?=[a-z\d])/i.exec(node.value);
    if (escaped && !/[[(^$|+?]|\\[a-z]/i.test(node.value))
      return {
        ...{ code: "MARK_AS_TEXT", what: `The \\ in ${typed} is shown: code needs no \\ before _ and *.` },
        fix: `write ${typed.replace(/\\(?=[_*])/g, "")}`,
      };
    const dash = /(?:^| )([–—])(?=[a-z][\w-]*)/.exec(node.value);
    if (dash && /^[a-z][\w.-]* |^[–—]/.test(node.value))
      return {
        ...{
          code: "MARK_AS_TEXT",
          what: `${dash[1]} in ${typed} is a typographic dash, which no program reads as --.`,
        },
        fix: `write ${typed.replace(/(?<=[\s`])[–—](?=[a-z])/g, "--")}`,
      };
  }
  // A sign of emphasis next to its marks: `***bold** text`, `__bold_`.
  const [mark, marks] = [source[start]!, node.type === "strong" ? 2 : node.type === "emphasis" ? 1 : 0];
  const isBefore = left === mark && source[start - 2] !== "\\";
  if (marks > 0 && isBefore !== (source[end] === mark))
    return {
      code: "MARK_AS_TEXT",
      what: `${mark} is shown as text: the marks before and after the text have different lengths.`,
      fix: `write the same marks on both sides, or \\${mark} for the literal character.`,
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
