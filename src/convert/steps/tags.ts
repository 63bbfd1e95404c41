/** Tags of HTML and of components. */
import { skipBraces, skipTag } from "../../lib/jsx/skip-code.js";
import { codeSpans, mapRuns, type PageText } from "../page-text.js";
import type { BlockTags } from "./blocks.js";

export interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  /** `<br />` */
  readonly isEmpty: boolean;
  /** By name: text in quotes as it is, `{…}` with its braces, `true` without a value. */
  readonly attributes: ReadonlyMap<string, string | true>;
  /** The attributes as written. */
  readonly written: string;
  readonly line: number;
  /** The blanks before a tag that begins a line. */
  readonly indent: string;
}

const maxTagLength = 20_000;
const maxIndent = 100;
/** Limit for texts that only begin like a tag; after it, the rest of the run stays unchanged. */
const maxFailures = 1000;
const tagStart = /(?<!\\)<(\/?)([A-Za-z][\w.:-]*)(?=[\s/>])/g;

/** Replaces tags outside of code spans; a tag stays if `convert` returns undefined. */
export const mapTags = (lines: PageText, convert: (tag: Tag, written: string) => string | undefined): PageText =>
  mapRuns(lines, (text, lineAt) => {
    if (!text.includes("<")) return text;
    const isCode = codeTest(text);
    let out = "";
    let done = 0;
    let failures = 0;
    for (const { 0: start, 1: slash, 2: name = "", index } of text.matchAll(tagStart)) {
      if (index < done || isCode(index) || failures > maxFailures) continue;
      const from = index + start.length;
      const length = skipTag(text.slice(index, index + maxTagLength), 0);
      if (length === undefined) {
        failures++;
        continue;
      }
      const end = index + length;
      const isEmpty = text[end - 2] === "/";
      const written = text.slice(from, end - (isEmpty ? 2 : 1)).trimEnd();
      const attributes = attributesOf(written);
      const before = text.slice(Math.max(0, index - maxIndent - 1), index);
      const indent = /(?:^|\n)([ \t]*)$/.exec(before)?.[1] ?? "";
      const tag = { name, isEnd: slash !== "", isEmpty, attributes, written, line: lineAt(index), indent };
      const whole = text.slice(index, end);
      out += text.slice(done, index) + (convert(tag, whole) ?? whole);
      done = end;
    }
    return out + text.slice(done);
  });

/** Marks a line that begins inside of a tag, such as a line of attributes, and thus contains no Markdown. */
export const inTag = "\u{F0012}";

export const markLinesInTags = (lines: PageText): PageText =>
  mapTags(lines, (_, whole) => (whole.includes("\n") ? whole.replaceAll("\n", `\n${inTag}`) : undefined));

/** What replaces the elements of a name; undefined leaves one as it is. */
export type ElementTable = Readonly<Record<string, (tag: Tag) => BlockTags | undefined>>;

/** Replaces elements: each start tag by the table, and its end tag accordingly. */
export function replaceElements(lines: PageText, table: ElementTable): PageText {
  const closes = new Map<string, (string | undefined)[]>();
  return mapTags(lines, (tag) => {
    const replace = Object.hasOwn(table, tag.name) ? table[tag.name] : undefined;
    if (replace === undefined) return undefined;
    const open = closes.get(tag.name) ?? [];
    closes.set(tag.name, open);
    if (tag.isEnd) return open.pop();
    const tags = replace(tag);
    if (!tag.isEmpty) open.push(tags?.close);
    return tags && (tag.isEmpty ? tags.open + tags.close : tags.open);
  });
}

/** Whether an offset is in a code span; the offsets must rise from call to call. */
function codeTest(text: string): (offset: number) => boolean {
  if (!text.includes("`")) return () => false;
  const spans: (readonly [number, number])[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    for (const [from, to] of codeSpans(line)) spans.push([start + from, start + to]);
    start += line.length + 1;
  }
  let next = 0;
  return (offset) => {
    while (next < spans.length && spans[next]![1] <= offset) next++;
    return next < spans.length && spans[next]![0] <= offset;
  };
}

function attributesOf(written: string): Map<string, string | true> {
  const attributes = new Map<string, string | true>();
  const name = /\s*([^\s={]+|(?=\{))(\s*=\s*(?=\S))?/y;
  while (name.lastIndex < written.length) {
    const match = name.exec(written);
    if (match === null) break;
    if (match[2] === undefined && match[1] !== "") attributes.set(match[1]!, true);
    else {
      const value = valueAt(written, name.lastIndex);
      name.lastIndex += value.length;
      attributes.set(match[1] || value, /^["']/.test(value) ? value.slice(1, -1) : value);
    }
  }
  return attributes;
}

/** A value of an attribute: a text in quotes, code in braces, or a word. */
function valueAt(written: string, start: number): string {
  if (written[start] === "{") return written.slice(start, skipBraces(written, start));
  return /^(?:(["'`])[\s\S]*?\1|\S*)/.exec(written.slice(start))![0];
}

/** The value of an attribute as text; `{"a"}` is `a`. */
export function attributeText({ attributes }: Tag, name: string): string | undefined {
  const value = attributes.get(name);
  if (value === undefined || value === true) return undefined;
  return /^\{\s*(["'`])([^"'`{}$]*)\1\s*\}$/.exec(value)?.[2] ?? value;
}
