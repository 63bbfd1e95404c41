/** Blocks in the syntax of other tools become components. */
import {
  append,
  block,
  codeSpans,
  columnsOf,
  fenceOf,
  generated,
  indentOf,
  type Line,
  linesOf,
  outsideCodeSpans,
  type PageText,
  replaceGroups,
  withoutColumns,
} from "../page-text.js";
import { iconName, materialIcon } from "./icons.js";
import names from "./names.json" with { type: "json" };

/** What a block becomes; its body is between the two tags. */
export interface BlockTags {
  readonly open: string;
  readonly close: string;
  /** Text before the body. */
  readonly first?: string;
  /** The body is left out. */
  readonly drop?: boolean;
}
export type BlockNamer = (name: string, rest: string, line: Line) => BlockTags | undefined;

export const attribute = (name: string, value: string | undefined): string =>
  value === undefined || value === "" ? "" : ` ${name}=${quotedAttribute(value)}`;

/** Quotes a value for JSX, whose only escapes are those of HTML. */
const quotedAttribute = (value: string): string =>
  value.includes("\n")
    ? `{${JSON.stringify(value)}}`
    : `"${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll("{", "&#123;")}"`;

const titleLink = /!?\[([^[\]\n]{1,300})\]\([^()\n]{0,500}\)/g;

/** The attributes for a title that may have an icon. Of its marks, only those of code are shown. */
export function titleAttributes(written = ""): string {
  const [, icon] = new RegExp(materialIcon).exec(written) ?? [];
  const text = icon === undefined ? written : written.replace(materialIcon, "").trim();
  const title = outsideCodeSpans(text, (part) =>
    part.replace(titleLink, "$1").replace(/(\*\*|__)(?=\S)([^*_]{1,300})\1/g, "$2"),
  );
  return attribute("title", title || icon) + attribute("icon", icon && (iconName(icon) ?? icon));
}

export const element = (name: string, attributes = ""): BlockTags => ({
  open: `<${name}${attributes}>`,
  close: `</${name}>`,
});

/** A component with a title, whose links begin the body. */
export const titledElement = (name: string, title?: string, attributes = ""): BlockTags => ({
  ...element(name, titleAttributes(title) + attributes),
  first: title?.match(titleLink)?.join(" ") ?? "",
});

/** Our name for each name of other tools, from their names by ours. */
export const namesByTheirs = (theirs: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(theirs).flatMap(([ours, names]) => names.split(" ").map((name) => [name, ours] as const)));
const callouts = namesByTheirs(names.callouts);

/** The callout for a word of another tool. */
export function calloutTags(word: string, title?: string): BlockTags | undefined {
  const component = callouts.get(word.toLowerCase());
  return component === undefined ? undefined : titledElement(component, title?.trim());
}

/** The opening tag of a block at a line, and the text before its body. */
const opening = ({ open, first }: BlockTags, indent: string, line: Line): Line[] => [
  ...block([indent + open], line.line),
  ...(first ? [{ ...line, text: indent + first }, generated("", line.line)] : []),
];

/** The tags of a block whose content stays without it. */
export const noTags: BlockTags = { open: "", close: "" };

/** Text with the characters escaped that begin a tag or an expression in MDX. */
export const escapeMdx = (text: string): string => text.replace(/[<{]/g, "\\$&");

const asWritten: BlockTags = { ...noTags };

/**
 * `:::note Title` to `:::`, with as many colons as the writer likes.
 *
 * @param unknown is called for each block without tags, whose marks are removed; without it, the marks stay as text, and a
 *   body that is indented as a whole is no code
 */
export function colonBlocks(
  lines: PageText,
  tagsOf: BlockNamer,
  unknown?: (line: Line, name: string) => void,
  mark = /^([ \t]*)(:{3,})[ \t]*([A-Za-z][\w-]*)?(.*)$/,
): PageText {
  const out: Line[] = [];
  const open: { readonly colons: number; readonly tags: BlockTags; readonly indent: string; readonly from: number }[] =
    [];
  const close = (line: number): void => {
    const { tags, indent, from } = open.pop()!;
    if (tags.drop) out.length = from;
    else if (unknown === undefined && tags !== asWritten)
      outdent(out, from + (tags.open === "" ? 0 : 3), indent.length);
    out.push(...block([indent + tags.close], line).slice(tags.close === "" ? 2 : 0));
  };
  for (const line of lines) {
    const [, indent = "", colons = "", name = "", rest = ""] =
      (!line.code && line.text.length < 2000 && mark.exec(line.text)) || [];
    if (colons === "" || (name === "" && rest.trim() !== "")) out.push(line);
    else if (name !== "") {
      const tags = tagsOf(name, rest, line);
      if (tags) {
        open.push({ colons: colons.length, tags, indent, from: out.length });
        if (tags.open !== "") append(out, opening(tags, indent, line));
      } else if (unknown === undefined) {
        out.push(line);
        open.push({ colons: colons.length, tags: asWritten, indent, from: out.length });
      } else {
        unknown(line, name);
        const words = rest.replace(/\{[^{}]*\}/g, "").trim();
        if (words !== "") out.push({ ...line, text: indent + words }, generated("", line.line));
        open.push({ colons: colons.length, tags: noTags, indent, from: out.length });
      }
    } else if (open.length > 0) {
      const at = Math.max(
        open.findLastIndex((block) => block.colons === colons.length),
        0,
      );
      const stays = open[at]!.tags === asWritten;
      while (open.length > at) close(line.line);
      if (stays) out.push(line);
    }
  }
  while (open.length > 0) close(lines.at(-1)!.line);
  return out;
}

/** Removes the indentation that all lines from an index on share, if it would make them code. */
function outdent(lines: Line[], from: number, margin: number): void {
  let width = Number.POSITIVE_INFINITY;
  for (let at = from; at < lines.length; at++) {
    const { text } = lines[at]!;
    if (text.trim() !== "") width = Math.min(width, columnsOf(indentOf(text)));
    if (width < margin + 4) return;
  }
  for (let at = from; width < Number.POSITIVE_INFINITY && at < lines.length; at++)
    lines[at] = { ...lines[at]!, text: " ".repeat(margin) + withoutColumns(lines[at]!.text, width) };
}

const maxDepth = 40;

/** Blocks whose body is indented by four: `!!! note "Title"`, `??? tip`, `=== "Tab"`. */
export function indentedBlocks(
  lines: PageText,
  tagsOf: (mark: string, rest: string) => BlockTags | undefined,
  depth = 0,
): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const [, indent = "", mark = "", rest = ""] =
      (!line.code &&
        line.text.length < 2000 &&
        /^([ \t]*)(!!!|\?\?\?\+?|===!?\+?(?=[ \t]))[ \t]*(\S.*)$/.exec(line.text)) ||
      [];
    const tags = mark === "" || depth > maxDepth ? undefined : tagsOf(mark, rest);
    if (tags === undefined) {
      out.push(line);
      continue;
    }
    let end = i + 1;
    while (
      end < lines.length &&
      (lines[end]!.text.trim() === "" || indentOf(lines[end]!.text).length >= indent.length + 4)
    )
      end++;
    while (end > i + 1 && lines[end - 1]!.text.trim() === "") end--;
    const body = lines
      .slice(i + 1, end)
      .map((bodyLine) => ({ ...bodyLine, text: indent + bodyLine.text.slice(indent.length + 4) }));
    append(out, opening(tags, indent, line));
    append(out, indentedBlocks(body, tagsOf, depth + 1));
    out.push(...block([indent + tags.close], lines[end - 1]!.line));
    i = end - 1;
  }
  return out;
}

const tabTag = /^([ \t]*)<(\/?)Tab(?=[\s>])/;

/** Puts the tabs that follow each other into a group. */
export const groupTabs = (lines: PageText): PageText =>
  lines.flatMap((line, i) => {
    const [, indent = "", slash] = (line.generated && tabTag.exec(line.text)) || [];
    if (slash === undefined) return [line];
    const step = slash === "" ? -1 : 1;
    let at = i + step;
    while (lines[at]?.text.trim() === "") at += step;
    const [, otherIndent, otherSlash] = (lines[at]?.generated && tabTag.exec(lines[at]!.text)) || [];
    if (otherIndent === indent && otherSlash !== slash) return [line];
    const tag = block([`${indent}<${slash}Tabs>`], line.line);
    return slash === "" ? [...tag, line] : [line, ...tag];
  });

/** `{% name a="b" %}` to `{% endname %}`. The tags of a block without an end have an empty `close`. */
export function liquidBlocks(
  lines: PageText,
  tagsOf: (name: string, attributes: Readonly<Record<string, string>>, line: Line) => BlockTags | undefined,
): PageText {
  const out: Line[] = [];
  const open: { readonly name: string; readonly tags: BlockTags; readonly from: number }[] = [];
  for (const line of lines) {
    const isPlain = line.code || line.text.length > 10_000 || !line.text.includes("{%");
    if (isPlain || codeSpans(line.text).some(([start, end]) => line.text.slice(start, end).includes("{%"))) {
      out.push(line);
      continue;
    }
    const indent = indentOf(line.text);
    for (const part of line.text.split(/(\{%(?:[^%]|%(?!\})){0,1000}%\})/)) {
      const [, name = "", rest = ""] = /^\{%-?[ \t]*([\w@/-]+)((?:[^%]|%(?!\}))*)%\}$/.exec(part) ?? [];
      if (name === "") {
        if (part.trim() !== "") out.push({ ...line, text: part === line.text ? part : indent + part.trim() });
        continue;
      }
      if (name.startsWith("end")) {
        const at = open.findLastIndex((block) => block.name === name.slice(3));
        while (at !== -1 && open.length > at) {
          const { tags, from } = open.pop()!;
          // Blocks opened after it have no end, so they have no content to drop.
          if (tags.drop && open.length === at) out.length = from;
          if (tags.close !== "") out.push(...block([indent + tags.close], line.line));
        }
        continue;
      }
      const attributes = Object.fromEntries(
        [...rest.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"'%]+))/g)].map(([, key, a, b, c]) => [
          key!,
          a ?? b ?? c ?? "",
        ]),
      );
      const tags = tagsOf(name, attributes, line);
      if (tags === undefined) out.push({ ...line, text: indent + part });
      else {
        if (tags.open !== "") append(out, opening(tags, indent, line));
        open.push({ name, tags, from: out.length });
      }
    }
  }
  // Blocks that are still open are tags without an end, such as `{% include %}`.
  return out;
}

/** Text in place of a line, such as a file that it includes. */
export const insertText = (text: string, at: Line): PageText => {
  const indent = indentOf(at.text);
  return linesOf(text.replace(/\n$/, ""), 1).map((inserted) => {
    const placed = { ...inserted, line: at.line, text: inserted.text === "" ? "" : indent + inserted.text };
    // Text that is inserted into a code block is code.
    return at.code ? { text: placed.text, line: at.line, code: true } : placed;
  });
};

/** Changes the first line of each code block: `convert` gets the text after the fence. */
export function fenceInfos(lines: PageText, convert: (info: string, line: Line) => string): PageText {
  return lines.map((line) => {
    const info = line.opens ? fenceOf(line.text)![1] : "";
    if (info.trim() === "") return line;
    const converted = convert(info.trim(), line);
    const mark = line.text.slice(0, line.text.length - info.length);
    // The first word is the language.
    return { ...line, text: `${mark}${/^[\w-]+=/.test(converted) ? "text " : ""}${converted}` };
  });
}

/** Without the words after the language that no reader of the old site saw, since here they would be a title. */
export const plainOptions = (info: string): string =>
  info
    .replace(optionForm, (word, key?: string) =>
      (key === undefined ? shownFlags.test(word) : shownOptions.test(key)) ? word : "",
    )
    .replace(/ {2,}/g, " ")
    .trim();
const optionForm =
  /(?<=\s|^(?=[\w-]{1,40}=))(?:([\w-]{1,40})=)?(?:"[^"]*"|'[^']*'|\{[^{}]*\}|\/[^/]{1,200}\/[a-z\d]*(?!\S)|[^\s"'{}]+)/g;
const shownFlags = /^(?:\{[\d\s,-]+\}|lines|showLineNumbers|lineNumbers|wrap|twoslash|expandable)$/;
const shownOptions =
  /^(?:title|filename|tab|mark|ins|del|highlight|focus|hl_lines|linenums|showLineNumbers|lineNumbers|wrap)$/;

/** Turns quotes into blocks. @param read gives the tags and the remaining text for a first line; undefined for a plain quote */
export function quoteBlocks(
  lines: PageText,
  read: (first: string, indent: string) => { readonly tags: BlockTags; readonly rest: string } | undefined,
): PageText {
  return replaceGroups(lines, (line, at) => {
    const [, indent = "", first] =
      (!line.code && line.text.length < 5000 && /^([ \t]*)>[ \t]*(.*)$/.exec(line.text)) || [];
    const replacement = first === undefined ? undefined : read(first, indent);
    if (replacement === undefined) return undefined;
    const { tags, rest } = replacement;
    let end = at + 1;
    while (end < lines.length && /^[ \t]*>/.test(lines[end]!.text)) end++;
    const quoted = lines
      .slice(at + 1, end)
      .map(({ text, ...other }) => ({ ...other, text: text.replace(/^[ \t]*> ?/, "") }));
    const content = [...(rest === "" ? [] : [{ ...line, text: rest }]), ...quoted];
    const inner = content.map((quotedLine) => ({ ...quotedLine, text: indent + quotedLine.text }));
    return {
      end,
      lines: [...block([indent + tags.open], line.line), ...inner, ...block([indent + tags.close], line.line)],
    };
  });
}

/** The alerts of our own Markdown, which allows no text after them on the line. */
const ourAlerts = /^(?:note|tip|important|warning|caution)$/i;

/** Turns quotes that begin with `[!NOTE] text` into callouts; an unknown kind becomes the title of a note. */
export const quotedAlerts = (lines: PageText): PageText =>
  quoteBlocks(lines, (first, indent) => {
    const [, kind, rest = ""] = /^\[!(\w+)\][-+]?[ \t]*(.*)$/.exec(first) ?? [];
    const isOurs = kind === undefined || (rest === "" && ourAlerts.test(kind) && indent.length < 4);
    if (isOurs) return undefined;
    const tags = calloutTags(kind);
    // An unknown kind is the title; of what folds, the text after it is.
    if (tags !== undefined) return { tags, rest };
    const folds = /^(?:details|collapse)$/i.test(kind);
    const title = kind[0]!.toUpperCase() + kind.slice(1).toLowerCase();
    return folds
      ? { tags: element("Accordion", attribute("title", rest || title)), rest: "" }
      : { tags: element("Note", attribute("title", title)), rest };
  });
