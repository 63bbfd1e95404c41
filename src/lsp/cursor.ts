/** Finds the syntax element at a position of a page. Offsets count UTF-16 code units; `start` and `end` enclose `text`. */
import { findFrontmatter } from "../page/content/index.js";

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type Cursor = Word &
  (
    | { readonly kind: "tag" }
    /** `written` lists the properties that the tag has. */
    | { readonly kind: "property"; readonly component: string; readonly written: readonly string[] }
    /** A value in quotes. `component` is empty for a value in the front matter. */
    | { readonly kind: "value"; readonly component: string; readonly property: string }
    | { readonly kind: "link"; readonly isImage: boolean }
    | { readonly kind: "import" }
    | { readonly kind: "variable" }
    /** A key of the front matter. */
    | { readonly kind: "key" }
  );

/** How far before the cursor a tag may begin, in UTF-16 code units. */
const maxTag = 3_000;

/** Undefined in code, and where there is nothing to complete. */
export function cursorAt(source: string, offset: number): Cursor | undefined {
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = (source.indexOf("\n", offset) + 1 || source.length + 1) - 1;
  const line = source.slice(lineStart, lineEnd);
  const before = source.slice(lineStart, offset);
  const word = (start: number, end: number): Word => ({ text: source.slice(start, end), start, end });
  /** The text around the cursor, up to the characters that match `stop`. */
  const around = (stop: RegExp, from = lineStart): Word => {
    let [start, end] = [offset, offset];
    while (start > from && !stop.test(source[start - 1]!)) start--;
    while (end < lineEnd && !stop.test(source[end]!)) end++;
    return word(start, end);
  };
  const block = findFrontmatter(source);
  if (block && offset >= block.start && offset <= block.end) {
    const key = /^((?:[\w-]+(?::[\w-]+)*)?)(\s*:[ \t]*)?/.exec(line)!;
    if (before.length <= key[1]!.length) return { kind: "key", ...word(lineStart, lineStart + key[1]!.length) };
    if (key[2] === undefined) return undefined;
    return { kind: "value", component: "", property: key[1]!, ...around(/["'\s]/) };
  }
  if (isInFence(source, block?.bodyStart ?? 0, lineStart)) return undefined;
  if (/\{\{[ \t]*[\w-]*$/.test(before)) return { kind: "variable", ...around(/[^\w-]/) };
  if (/^\s*(?:import|export)\b[^"']*["'][^"']*$/.test(before)) return { kind: "import", ...around(/["']/) };
  const link = /(!?)\[[^\]\n]*\]\(<?[^()\s<>]*$/.exec(before);
  if (link) return { kind: "link", isImage: link[1] === "!", ...around(/[()\s<>]/) };
  if ((before.match(/`/g)?.length ?? 0) % 2 === 1) return undefined;
  for (
    let open = source.lastIndexOf("<", offset - 1), tries = 0;
    open >= 0 && offset - open < maxTag && tries < 8;
    tries++
  ) {
    const cursor = inTag(source, open, offset);
    if (cursor) return cursor;
    open = open === 0 ? -1 : source.lastIndexOf("<", open - 1);
  }
  return undefined;
}

function isInFence(source: string, from: number, to: number): boolean {
  let fence = "";
  for (const [, signs = ""] of source.slice(from, to).matchAll(/^[ \t]*(`{3,}|~{3,})/gm)) {
    if (fence === "") fence = signs;
    else if (signs.startsWith(fence)) fence = "";
  }
  return fence !== "";
}

const patterns = {
  name: /<\/?[A-Za-z]?[\w.]*/y,
  blank: /[\s/]*/y,
  property: /[A-Za-z_$][\w$:-]*/y,
  sign: /\s*=\s*/y,
  text: /"[^"]*"?|'[^']*'?/y,
  expression: /\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}?/y,
};

function inTag(source: string, open: number, offset: number): Cursor | undefined {
  const limit = open + maxTag;
  let at = open;
  const take = (name: keyof typeof patterns): string | undefined => {
    const pattern = patterns[name];
    pattern.lastIndex = at;
    const match = pattern.exec(source)?.[0];
    at += match?.length ?? 0;
    return match;
  };
  const typed = take("name")!;
  const component = typed.replace(/^<\/?/, "");
  const start = open + typed.length - component.length;
  if (offset < start) return undefined;
  if (offset <= at) return { kind: "tag", text: component, start, end: at };
  if (component === "") return undefined;
  const written: string[] = [];
  while (at < limit && at < source.length) {
    take("blank");
    if (offset <= at || source[at] === ">") {
      const isInside = offset <= at && /\s/.test(source[offset - 1]!);
      const rest = source.slice(at, limit).split(">", 1)[0]!;
      written.push(...[...rest.matchAll(/([\w:-]+)\s*=/g)].map(([, name]) => name!));
      return isInside ? { kind: "property", component, written, text: "", start: offset, end: offset } : undefined;
    }
    const propertyStart = at;
    const property = take("property");
    if (property === undefined) {
      if (take("expression") === undefined) return undefined;
      continue;
    }
    if (offset <= at) return { kind: "property", component, written, text: property, start: propertyStart, end: at };
    written.push(property);
    if (take("sign") === undefined) continue;
    const valueStart = at;
    const value = take("text");
    if (value !== undefined) {
      const isClosed = value.length > 1 && value.endsWith(value[0]!);
      const end = at - (isClosed ? 1 : 0);
      if (offset <= valueStart || offset > end) continue;
      return {
        kind: "value",
        component,
        property,
        text: source.slice(valueStart + 1, end),
        start: valueStart + 1,
        end,
      };
    }
    if (take("expression") === undefined) return undefined;
    if (offset < at) return undefined;
  }
  return undefined;
}
