/** Replaces each run of white space and control characters by one space. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return text.replace(/[\s\0-\x1f\x7f]+/g, " ").trim();
}

/** Inline Markdown as plain text on one line: without link targets, tags, character references, and marks of emphasis and code. */
export function plainText(markdown: string): string {
  const line = oneLine(markdown);
  if (!/[[<*`\\&]/.test(line)) return line;
  const text = line
    .replace(/!?\[([^[\]]*)\]\([^()]*\)|(?<![\w)\]])\[([^[\]]+)\]\[[^[\]]*\]/g, "$1$2")
    .replace(/`[^`]*`|(?<!\\)<\/?([A-Za-z][\w-]*)([^<>]*)>/g, (tag, name: string | undefined, rest: string) => {
      if (name === undefined || (/^[\w ,.|-]*$/.test(rest) && /^[a-z]/.test(name) && !elements.test(name))) return tag;
      return separates.test(name) ? " " : "";
    })
    .replace(/\*+(?=\S)|(?<=\S)\*+|`/g, "")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replace(/&(?:#(\d{1,7})|([a-z]{2,6}));/gi, (written, code: string | undefined, name: string) =>
      code === undefined ? (references.get(name) ?? written) : charOf(Number(code)),
    );
  return oneLine(text);
}

/** The named character references that are common in a line of text. */
const references: ReadonlyMap<string, string> = new Map(
  "amp & lt < gt > quot \" apos ' ndash – mdash — hellip … lsquo ‘ rsquo ’ ldquo “ rdquo ” bull • middot · copy © reg ® trade ™ times × larr ← rarr →"
    .split(" ")
    .flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1]!] as const] : []))
    .concat([["nbsp", " "]]),
);

const charOf = (code: number): string =>
  code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\ufffd";

/** Elements that separate words, so that a space takes their place. */
const separates = /^(?:p|div|br|hr|h[1-6]|[uod]l|li|d[td]|table|t[hdr]|blockquote|pre)$/i;

/** HTML elements. Other names in angle brackets are placeholders: `<slug>`, `<my id>`. */
const elements = new RegExp(
  `^(?:${"a abbr article aside audio b bdi bdo big blockquote br button canvas caption center cite code col data dd del details dfn div dl dt em embed figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd label li link main mark meta nav object ol option p path picture pre q s samp script section select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr tt u ul var video wbr".replaceAll(" ", "|")})$`,
);

/** Whether a text only repeats the title above it, without a link, a picture or a tag with attributes. */
export function repeatsTitle(text: string, title: string): boolean {
  const words = text.replace(/<\/?(?:p|br|b|i|em|strong|code)\s*\/?>/gi, " ");
  return !/[[<]/.test(words) && inWords(plainText(words)) === inWords(title);
}

/**
 * Whether a title is a sentence, not a name: it has several lines, a verb after the first word or a colon at the end, or at
 * least six words that are not capitalized as those of a name. Generators write the first line of a comment as the title of a schema.
 */
export function isSentence(title: string): boolean {
  if (/\S[^\S\n]*\n\s*\S/.test(title) || /^\s*\S+ (?:is|are|contains|defines|describes|holds|represents) /.test(title))
    return true;
  if (title.trimEnd().endsWith(":")) return true;
  const [, ...words] = title.trim().split(/\s+/);
  const long = words.filter((word) => word.length > 3);
  return words.length > 4 && long.filter((word) => /^\p{Ll}/u.test(word)).length * 2 > long.length;
}

/** Removes the indentation that all lines after the first one share. */
export function withoutIndent(text: string): string {
  const indents = [...text.matchAll(/\n([ \t]*)(?=\S)/g)].map(([, indent]) => indent!.length);
  const least = indents.reduce((least, indent) => Math.min(least, indent), 40);
  return least === 0 ? text : text.replace(new RegExp(`\n[ \\t]{1,${least}}`, "g"), "\n");
}

const inWords = (text: string): string => text.replace(/[\s.:!]+$/, "").toLowerCase();

/**
 * Markdown without the white space around it. Generators copy indented comments and strings, so the indentation of the
 * first line is removed from all lines that have it, or else the one that all others share: the text after the first
 * line would be code or part of a list.
 */
export function trimmedMarkdown(markdown: string): string {
  const [, indentation] = /^(?:[ \t]*\r?\n)*([ \t]+)\S/.exec(markdown) ?? [];
  if (indentation !== undefined) return markdown.replaceAll(`\n${indentation}`, "\n").trim();
  return withoutDeepIndent(markdown).trim();
}

/** An indented block of code has four spaces; more than that around prose are the indentation of the program. */
const [codeIndent, deepIndent] = [" ".repeat(4), " ".repeat(6)];
const listItem = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;
const fenceLine = /^(?:`{3}|~{3})/;
const proseLine = /^(?:[-*+] \S|\d{1,9}[.)] \S|#{1,6} \S|\|.*\|\s*$|\p{Lu}[\p{L}']*(?: [\p{L}\p{N},'`*]+){2})/u;

function withoutDeepIndent(markdown: string): string {
  // Lines that are indented below an item of a list are part of it.
  if (!markdown.includes(`\n${codeIndent}`) || listItem.test(markdown)) return markdown;
  const linesBelow = (text: string): string[] => text.split("\n").slice(1);
  const haveAll = (indent: string): boolean =>
    linesBelow(markdown).every((line) => line.startsWith(indent) || line.trim() === "");
  if (!haveAll(codeIndent)) return markdown;
  const text = withoutIndent(markdown);
  const isDeep = haveAll(deepIndent);
  return linesBelow(text).some((line) => fenceLine.test(line) || (isDeep && proseLine.test(line))) ? text : markdown;
}
