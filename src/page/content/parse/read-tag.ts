/** Reads one tag of a page that does not parse, as well as it can be read. */
import type { MdxJsxAttribute, MdxJsxExpressionAttribute } from "mdast-util-mdx-jsx";
import { skipBraces, skipTag } from "../../../lib/jsx/skip-code.js";
import { autolinkAt } from "./repair.js";

export interface Tag {
  readonly role: "open" | "close" | "alone";
  /** Empty for a fragment. */
  readonly name: string;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
  /** From 1; 0 for a tag that is not the first on its line. */
  readonly column: number;
  readonly attributes: readonly (MdxJsxAttribute | MdxJsxExpressionAttribute)[];
  /** Whether a part of it could not be read. */
  readonly isBroken: boolean;
}

/** The attributes of a tag that is alone (`<Card title="x" />`); undefined if it does not parse. */
export type ParseTag = (tag: string) => Tag["attributes"] | undefined;

const head = /<(\/*)[ \t]*([A-Za-z_$][\w$:.-]*|(?=>))/y;
/** With the sign of an attribute of Vue, which is not read. */
const attribute = /([:@#]?[A-Za-z_$][\w$:.-]*)(\s*=\s*)?/y;
const unquoted = /[^\s"'{}<>=]+/y;
const nextAttribute = /\s[A-Za-z_$][\w$:.-]*\s*=/g;
/** The next line of a tag that goes over several lines. */
const furtherLine = /[ \t]*(?:[A-Za-z_$][\w$:.-]*[ \t]*=|\/?>|["'}\])]|\{)/y;
/** Longer tags are read only if nothing is wrong with them. */
const maxBrokenTag = 10_000;

/** The tag that begins at `start`; undefined for a `<` that is text. */
export function readTag(source: string, start: number, parse: ParseTag): Tag | undefined {
  head.lastIndex = start;
  const [begin, slashes, name] = head.exec(source) ?? [];
  if (begin === undefined || autolinkAt(source, start) !== undefined) return undefined;
  const nameEnd = start + begin.length;
  const before = source.slice(source.lastIndexOf("\n", start - 1) + 1, start);
  const column = /^[ \t]*$/.test(before) ? before.length + 1 : 0;
  const tag = { name: name!, start, column, attributes: [], isBroken: false };
  if (slashes !== "") {
    const rest = /[ \t]*>/y;
    rest.lastIndex = nameEnd;
    const isClosed = rest.test(source);
    const end = isClosed ? rest.lastIndex : nameEnd;
    return { ...tag, role: "close", end, isBroken: slashes !== "/" || !isClosed };
  }
  if (name === "") return { ...tag, role: "open", end: nameEnd + 1 };
  const end = skipTag(source, start);
  const typed = end === undefined ? "" : withoutQuoteSigns(source, start, end);
  const isAlone = typed.endsWith("/>");
  if (end !== undefined) {
    const attributes = parse(isAlone ? typed : `${typed.slice(0, -1)}/>`);
    if (attributes) return { ...tag, role: isAlone ? "alone" : "open", end, attributes };
  }
  return readBroken(source, nameEnd, { ...tag, role: "open", end: nameEnd, isBroken: true }, parse);
}

/** The text of a tag, in a quote without the signs that begin its further lines. */
function withoutQuoteSigns(source: string, start: number, end: number): string {
  const before = source.slice(source.lastIndexOf("\n", start) + 1, start);
  return /^[ \t]*>/.test(before) ? source.slice(start, end).replace(/\n[ \t>]*/g, "\n") : source.slice(start, end);
}

function readBroken(source: string, nameEnd: number, tag: Tag, parse: ParseTag): Tag | undefined {
  const end = endOfBroken(source, nameEnd);
  const inner = source
    .slice(nameEnd, end ?? lineEnd(source, nameEnd))
    .replace(/\/?>$/, "")
    .replace(comments, (comment) => " ".repeat(comment.length));
  const { pieces, readTo } = attributePieces(inner);
  const attributes = pieces.flatMap((piece) => parse(`<X ${piece} />`) ?? []);
  if (end !== undefined) {
    // `foreignDiagnostics` reports HTML comments.
    const isBroken = !source.startsWith("<!--", source.indexOf("<", nameEnd)) || parse(`<X ${inner} />`) === undefined;
    return { ...tag, role: source[end - 2] === "/" ? "alone" : "open", end, attributes, isBroken };
  }
  // Without its ">", it is a tag only if it has attributes or its line to itself.
  if (attributes.length === 0 && inner.trim() !== "") return undefined;
  return { ...tag, end: nameEnd + (attributes.length === 0 ? 0 : readTo), attributes };
}

/** MDX allows none in a tag. */
const comments = /<!--.*?-->|\{?\/\*[^*]*\*\/\}?|(?<=\s)\/\/ [^\n]*(?=\n)/gs;

const lineEnd = (source: string, from: number): number => {
  const end = source.slice(from, from + maxBrokenTag).search(/[<\r\n]/);
  return end === -1 ? Math.min(source.length, from + maxBrokenTag) : from + end;
};

/** The offset after its first `>`: on the line of its name, or on the lines of attributes below. */
function endOfBroken(source: string, nameEnd: number): number | undefined {
  const sign = /=>|<!--[^<>]{0,1000}-->|[<>\n]/g;
  sign.lastIndex = nameEnd;
  for (
    let match = sign.exec(source);
    match !== null && match.index - nameEnd < maxBrokenTag;
    match = sign.exec(source)
  ) {
    if (match[0] === ">") return sign.lastIndex;
    if (match[0] === "<") return undefined;
    furtherLine.lastIndex = sign.lastIndex;
    if (match[0] === "\n" && !furtherLine.test(source)) return undefined;
  }
  return undefined;
}

/** The attributes that can be told apart, each as valid code, and where the last one ends. */
function attributePieces(inner: string): { readonly pieces: string[]; readonly readTo: number } {
  const pieces: string[] = [];
  let readTo = 0;
  for (let at = 0; at < inner.length; ) {
    attribute.lastIndex = at;
    const match = attribute.exec(inner);
    if (match === null) {
      at++;
      continue;
    }
    const [typed, name, equals] = match;
    at += typed.length;
    if (equals === undefined) {
      if (/[\s/]/.test(inner[at] ?? " ") && /\s/.test(inner[match.index - 1] ?? " ")) pieces.push(name!);
      continue;
    }
    const end = valueEnd(inner, at);
    const value = inner
      .slice(at, end)
      .replace(/^["'`“”„‟‘’«»]|["'`“”„‟‘’«»]$/g, "")
      .replace(/\\(["'])/g, "$1");
    pieces.push(inner[at] === "{" ? `${name}=${inner.slice(at, end)}` : `${name}="${value.replaceAll('"', "&quot;")}"`);
    at = end;
    readTo = end;
  }
  return { pieces, readTo };
}

/** A value with quotes that a backslash escapes, as in JavaScript. */
const escaped = /(["'])[^"'\\]*\\\1(?:[^"'\\]|\\.)*\1/y;

/** Where the value that begins at `at` ends. A value without its closing quote ends before the next attribute. */
function valueEnd(inner: string, at: number): number {
  const quote = inner[at];
  if (quote === "{") return skipBraces(inner, at) ?? endBefore(inner, at);
  escaped.lastIndex = at;
  if (quote === "`" || escaped.test(inner)) {
    const close = quote === "`" ? inner.indexOf(quote, at + 1) + 1 : escaped.lastIndex;
    return close || endBefore(inner, at);
  }
  if (quote === '"' || quote === "'") {
    const close = inner.indexOf(quote, at + 1);
    return close === -1 || /\s[\w:.-]+\s*=\s*$/.test(inner.slice(at + 1, close)) ? endBefore(inner, at) : close + 1;
  }
  unquoted.lastIndex = at;
  const value = unquoted.exec(inner);
  return value === null ? at + 1 : unquoted.lastIndex + (/["']/.test(inner[unquoted.lastIndex] ?? "") ? 1 : 0);
}

function endBefore(inner: string, at: number): number {
  nextAttribute.lastIndex = at + 1;
  return nextAttribute.exec(inner)?.index ?? inner.length;
}
