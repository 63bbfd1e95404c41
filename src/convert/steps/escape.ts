/** Turns Markdown into MDX: escapes the characters that only MDX interprets, and closes tags. */
import { readFormula } from "../../page/content/index.js";
import {
  codeSpans,
  columnsOf,
  indentOf,
  type Line,
  mapRuns,
  mapText,
  maxConvertedLine,
  outsideCodeSpans,
  type PageText,
  replaceGroups,
  textOfLines,
  withoutColumns,
} from "../page-text.js";
import { mapTags, type Tag } from "./tags.js";

export const htmlNames: ReadonlySet<string> = new Set(
  (
    "a abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption center cite code col colgroup " +
    "data dd del details dfn div dl dt em embed fieldset figcaption figure footer font form h1 h2 h3 h4 h5 h6 header hr i " +
    "iframe img input ins kbd label legend li main map mark meter nav nobr object ol optgroup option output p picture pre " +
    "progress q rp rt ruby s samp section select small source span strike strong sub summary sup table tbody td textarea " +
    "tfoot th thead time tr track tt u ul var video wbr " +
    "svg path g circle ellipse rect line polyline polygon text tspan defs desc clippath lineargradient radialgradient stop " +
    "marker mask pattern symbol use"
  ).split(" "),
);
const empty = new Set("area br col embed hr img input source track wbr".split(" "));

/** Placeholders for characters that must not be escaped: private characters of Unicode, which pages do not contain. */
const [open, close] = ["\u{F0000}", "\u{F0001}"];

export function escapeMarkdown(lines: PageText): PageText {
  const text = textOfLines(lines.filter(({ code }) => !code));
  const closed = new Map<string, boolean>();
  const isComponent = ({ name, isEmpty }: Tag): boolean => {
    if (!/^[A-Z]|^[a-z]\w*-/.test(name)) return false;
    if (!closed.has(name)) closed.set(name, text.includes(`</${name}>`));
    return isEmpty || closed.get(name)!;
  };
  const opened = new Map<string, number>();
  const keep = (tag: Tag): string | undefined => {
    const { name, isEnd, isEmpty, written } = tag;
    if (!htmlNames.has(name.toLowerCase()) && !isComponent(tag)) return undefined;
    const attributes = quoteAttributes(written);
    const depth = opened.get(name) ?? 0;
    // Browsers ignore an end tag without a start tag.
    if (isEnd && (empty.has(name.toLowerCase()) || depth === 0)) return "";
    if (isEnd || !isEmpty) opened.set(name, depth + (isEnd ? -1 : 1));
    if (isEnd) return `${open}/${name}${close}`;
    const closes = isEmpty || empty.has(name.toLowerCase());
    return `${open}${name}${attributes.replaceAll("<", open).replaceAll("{", "\u{F0002}").replaceAll("}", "\u{F0003}")}${closes ? " /" : ""}${close}`;
  };
  const marked = mapTags(commentsOf(joinHtml(impliedEnds(endsOfLists(programs(plainTargets(lines)))))), keep);
  let inFormula = false;
  return marked.map((line) => {
    if (line.code) return line;
    const isMark = line.text.trim() === "$$";
    if (isMark) inFormula = !inFormula;
    if (line.generated || inFormula || isMark) return { ...line, text: restore(line.text) };
    const id = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*#{1,6}[ \t]/.test(line.text)
      ? (headingId.exec(line.text)?.[0] ?? "")
      : "";
    const text = outsideCodeSpans(line.text.slice(0, line.text.length - id.length), escapeText);
    return { ...line, text: restore(text) + id };
  });
}

/** `](<a b.png>)` and `]: <a b.png>` have a link target, which may contain spaces, and no tag. */
const plainTargets = (lines: PageText): PageText =>
  mapText(lines, (part) =>
    part.replace(
      /(\]\(|\]:[ \t]*)<([^<>\n]{1,2000})>(?=[\s)]|$)/g,
      (_, start: string, target: string) => start + target.replace(/[ ()]/g, encodeBlank),
    ),
  );
const encodeBlank = (sign: string): string => `%${sign.charCodeAt(0).toString(16)}`;

/** MDX reads an `export` as code, up to the next empty line. */
function programs(lines: PageText): PageText {
  let isInside = false;
  return lines.map((line) => {
    isInside =
      !line.code &&
      line.text.trim() !== "" &&
      (isInside || /^export\s+(?:async|const|let|function|default)\s/.test(line.text));
    return isInside ? { ...line, generated: true } : line;
  });
}

const htmlStart =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|figure|footer|header|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?=[\s/>])/i;
const tagInLine = /<(\/?)([a-z][\w-]*)(?:\s[^<>]*)?>/gi;

/** Elements whose end tag authors may leave out, with the elements whose start tag ends them. */
const endedBy: ReadonlyMap<string, RegExp> = new Map([
  ["li", /^li$/],
  ["p", /^p$/],
  ...["dt", "dd"].map((name) => [name, /^d[dt]$/] as const),
  ...["td", "th"].map((name) => [name, /^(?:t[dhr]|tbody|tfoot)$/] as const),
  ["tr", /^(?:tr|tbody|tfoot)$/],
]);
/** Surrounds notes about tags in a text, such as `3`, "element 3 starts here", and `li 3`, "it ends here". */
const noteMark = "\u{F0013}";

/** Writes the end tags that HTML implies. An element of several paragraphs stays as it is. */
function impliedEnds(lines: PageText): PageText {
  const opened: { readonly name: string; readonly id: number }[] = [];
  let count = 0;
  const noted = mapTags(lines, (tag, whole) => {
    const name = tag.name.toLowerCase();
    if (tag.isEmpty || empty.has(name) || !htmlNames.has(name)) return undefined;
    const ended: string[] = [];
    const endLast = (): void => {
      const last = opened.pop()!;
      ended.push(`${last.name} ${last.id}`);
    };
    if (tag.isEnd) {
      while (opened.length > 0 && opened.at(-1)!.name !== name && endedBy.has(opened.at(-1)!.name)) endLast();
      if (opened.at(-1)?.name === name) opened.pop();
    } else {
      while (opened.length > 0 && endedBy.get(opened.at(-1)!.name)?.test(name)) endLast();
      opened.push({ name, id: ++count });
    }
    const before = ended.length === 0 ? "" : noteMark + ended.join() + noteMark;
    const after = tag.isEnd || !endedBy.has(name) ? "" : noteMark + count + noteMark;
    return before + whole + after;
  });
  return count === 0 ? lines : mapRuns(noted, withEnds);
}

const blankLine = /\n[ \t]*\n/;

function withEnds(noted: string): string {
  const starts = new Map<string, number>();
  const out: string[] = [];
  /** White space after the text so far: end tags come before it. */
  let space = "";
  let lastBlankLine = -1;
  noted.split(noteMark).forEach((part, i) => {
    const trimmed = part.trimEnd();
    if (i % 2 === 1 && /^\d+$/.test(part)) starts.set(part, i);
    else if (i % 2 === 1) {
      const ended = part.split(",").map((each) => each.split(" "));
      const areParagraphs = ended.every(([, id]) => starts.get(id!)! > lastBlankLine);
      if (areParagraphs) out.push(...ended.map(([name]) => `</${name}>`));
    } else if (trimmed === "") space += part;
    else {
      if (blankLine.test(space) || blankLine.test(trimmed)) lastBlankLine = i;
      out.push(space, trimmed);
      space = part.slice(trimmed.length);
    }
  });
  return out.join("") + space;
}

/** In HTML, an end tag also ends the lists in its element; in Markdown, an indented tag belongs to the item above it. */
function endsOfLists(lines: PageText): PageText {
  let depth = 0;
  return lines.map((line) => {
    const { text } = line;
    if (line.code || line.generated || text.length > maxConvertedLine) return line;
    if (/^ ?(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text)) depth = 0;
    const isOutside = depth === 0 && /^ {1,3}<\/[a-z]/.test(text);
    if (text.includes("<")) depth = Math.max(0, depth + depthOf(text));
    return isOutside ? { ...line, text: text.trimStart() } : line;
  });
}

/**
 * In Markdown, a block of HTML ends at an empty line. MDX reads each of its lines as a paragraph or block of its own, in which
 * every tag must be closed; so an element that spans lines is joined into one line. A block that begins or ends an element
 * of more blocks becomes a block for each line or joined element.
 */
function joinHtml(lines: PageText): PageText {
  const isText = (line: Line | undefined): boolean =>
    line !== undefined && !line.code && !line.generated && line.text.trim() !== "";
  return replaceGroups(lines, (line, at) => {
    if (!isText(line) || !htmlStart.test(line.text)) return undefined;
    let end = at + 1;
    while (isText(lines[end])) end++;
    const htmlLines = lines.slice(at, end);
    const text = joined(htmlLines);
    const isSplit = text.length <= maxConvertedLine && !/<pre\b|<!--/i.test(text) && hasOpenParagraph(htmlLines);
    if (!isSplit) return { end, lines: htmlLines };
    return { end, lines: depthOf(text) === 0 ? [{ ...line, text }] : separated(htmlLines) };
  });
}

const joined = (lines: PageText): string => lines.map(({ text }) => text.trim()).join(" ");

/** How many more elements a text opens than it ends. */
function depthOf(text: string): number {
  let depth = 0;
  for (const [whole, slash, name] of text.replace(/`[^`]*`/g, "").matchAll(tagInLine))
    if (!empty.has(name!.toLowerCase()) && !whole.endsWith("/>")) depth += slash === "" ? 1 : -1;
  return depth;
}

const isBlockOfTags = (text: string): boolean => /^(?:\s*<[^<>]*>)+\s*$/.test(text);

/** Each line of tags, and each text with the elements in it, as a block of its own. */
function separated(lines: PageText): Line[] {
  const out: Line[] = [];
  let open: Line[] = [];
  let depth = 0;
  let isInTag = false;
  for (const line of lines) {
    const { text } = line;
    const isTags = open.length === 0 && isBlockOfTags(text);
    open.push(line);
    if (!isTags) depth += depthOf(text);
    isInTag = text.lastIndexOf("<") > text.lastIndexOf(">") || (isInTag && !text.includes(">"));
    if ((depth > 0 || isInTag) && line !== lines.at(-1)) continue;
    out.push({ ...open[0]!, text: joined(open) }, { ...line, text: "" });
    open = [];
    depth = 0;
  }
  return out;
}

/** Whether lines with text leave a tag open, or end one of another line. */
function hasOpenParagraph(lines: PageText): boolean {
  if (lines.length < 2) return false;
  let depth = 0;
  for (const { text } of lines) {
    const isBlock = isBlockOfTags(text);
    if (isBlock && depth !== 0) return true;
    if (isBlock) continue;
    depth += depthOf(text);
    if (depth < 0) return true;
  }
  return depth !== 0;
}

const quoteAttributes = (written: string): string => written.replace(/(\s[\w:-]+=)([^\s"'{}=]+)(?=\s|$)/g, '$1"$2"');

const restore = (text: string): string =>
  /[\u{F0000}-\u{F0005}]/u.test(text)
    ? text.replaceAll(open, "<").replaceAll(close, ">").replaceAll("\u{F0002}", "{").replaceAll("\u{F0003}", "}")
    : text;

/** A URL in text with `{id}` or `<id>` in its path. The backslash of an escape would belong to the URL. */
const templateUrl =
  /(?<![A-Za-z\d/("'=<[\]]|\]:[ \t]{0,9})https?:\/\/[^\s<>{}()[\]`*"'\\]{1,300}\\?[<{][^\s()[\]`*"']{0,300}[^\s()[\]`*"'_.,;:!?]/g;
const linkOfTemplate = (typed: string): string => {
  const url = typed.replace(/\\([<>{}])/g, "$1");
  return `[${url}](${encodeURI(url)})`;
};

const headingId = /[ \t]*\{#[^\s{}]{1,2000}\}[ \t]*$/;

/** Formulas and comments of MDX stay as they are. */
function escapeText(text: string): string {
  if (!/[<{}]/.test(text)) return text;
  let [out, end] = ["", 0];
  for (const { 0: mark, index } of text.matchAll(/(?<!\\)\$|\{\/\*[^*]*\*\/\}/g)) {
    const stop = mark === "$" ? readFormula(text, index, 0)?.end : index + mark.length;
    if (index < end || stop === undefined) continue;
    out += escapeWords(text.slice(end, index)) + text.slice(index, stop);
    end = stop;
  }
  return out + escapeWords(text.slice(end));
}

const escapeWords = (text: string): string =>
  text
    .replace(/<((?:https?:\/\/|mailto:)[^\s<>]+)>/g, (_, url: string) => `[${url.replace(/^mailto:/, "")}](${url})`)
    .replace(/<([\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/g, "[$1](mailto:$1)")
    .replace(templateUrl, linkOfTemplate)
    .replace(/(?<!\\)[<{}]/g, "\\$&");

/** `<!-- … -->` becomes a comment of MDX. */
function commentsOf(lines: PageText): PageText {
  let inside = false;
  return lines.map((line) => {
    if (line.code || (!inside && !line.text.includes("<!--"))) return line;
    let out = "";
    let rest = line.text;
    while (rest !== "") {
      const mark = inside ? "-->" : "<!--";
      const at = inside ? rest.indexOf(mark) : outsideSpans(rest, mark);
      const part = at === -1 ? rest : rest.slice(0, at);
      out += inside
        ? part.replaceAll("*/", "* /").replaceAll("{", "(").replaceAll("}", ")").replaceAll("<", "‹")
        : part;
      if (at === -1) break;
      out += inside ? "*/\u{F0003}" : "\u{F0002}/*";
      inside = !inside;
      rest = rest.slice(at + mark.length);
    }
    return { ...line, text: out };
  });
}

/** The first offset of a text outside of code spans; -1 if there is none. */
function outsideSpans(text: string, searched: string): number {
  const spans = codeSpans(text);
  let at = text.indexOf(searched);
  while (at >= 0 && spans.some(([start, end]) => at >= start && at < end)) at = text.indexOf(searched, at + 1);
  return at;
}

/** The comments of a page that is MDX already. */
export const mdxComments = (lines: PageText): PageText =>
  commentsOf(lines).map((line) => (line.code ? line : { ...line, text: restore(line.text) }));

const elementTag = /<(\/)?(table|[A-Z][\w.]{0,60})(?=[\s>/]|$)(?:[^<>]{0,500}(\/)>)?/g;

/** Adds fences to indented code blocks, also in lists: MDX does not have them, and no step may read them as text. */
export function fenceIndented(lines: PageText): PageText {
  /** The columns of the text of the list items around the line, the innermost last. */
  const items: number[] = [];
  const columnOf = ({ text }: Line): number => columnsOf(indentOf(text));
  const isBlank = (line: Line | undefined): boolean => (line?.text.trim() ?? "") === "";
  // What authors indent in tables and components is no code.
  const ends = Map.groupBy(
    lines
      .flatMap(({ text, code, generated }) => (code || generated ? [] : [...text.matchAll(elementTag)]))
      .filter(([, slash]) => slash),
    ([, , name]) => name,
  );
  let depth = 0;
  return replaceGroups(lines, (line, at) => {
    if (isBlank(line) || line.code) return undefined;
    const wasInside = depth > 0;
    for (const [, slash, name, isEmpty] of line.generated ? [] : line.text.matchAll(elementTag)) {
      if (slash) depth = Math.max(0, depth - (ends.get(name)?.pop() ? 1 : 0));
      else if (!isEmpty && ends.get(name)?.length) depth++;
    }
    if (wasInside) return undefined;
    const column = columnOf(line);
    const isApart = isBlank(lines[at - 1]);
    const marker = /^[ \t]*((?:[-*+]|\d{1,9}[.)])[ \t]+)/.exec(line.text)?.[1];
    const isItem = marker !== undefined && (column < 4 || column <= (items.at(-1) ?? 0) + 3);
    // Text that is one column too far to the left still counts as part of an item.
    while (items.length > 0 && (isItem ? items.at(-1)! > column : isApart && items.at(-1)! > column + 1)) {
      if (!isItem && items.length === 1 && column > 1) break;
      items.pop();
    }
    if (isItem) items.push(column + Math.min(marker.length, 4));
    const inner = items.at(-1) ?? 0;
    // In Python-Markdown, each level has four columns.
    const start = Math.max(inner + 4, 4 * (items.length + 1));
    const isCode = (other: Line): boolean =>
      !other.code && !other.generated && (isBlank(other) || columnOf(other) >= start);
    if (isItem || !isApart || !isCode(line)) return undefined;
    let end = at;
    while (end < lines.length && isCode(lines[end]!)) end++;
    while (isBlank(lines[end - 1])) end--;
    const indent = " ".repeat(inner);
    const fence: Line = { text: `${indent}\`\`\``, line: line.line, code: true };
    const code = lines
      .slice(at, end)
      .map(({ text, line }) => ({ text: indent + withoutColumns(text, start), line, code: true }));
    return { end, lines: [fence, ...code, fence] };
  });
}
