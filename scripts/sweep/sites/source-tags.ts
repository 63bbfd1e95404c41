// Tags, attributes and expressions in MDX, read tolerantly.
import { parseFragment } from "parse5";
import { inlineElements, silentElements } from "../specs/words.ts";

export const elementNames = new Set([
  ...inlineElements,
  ...silentElements,
  ..."address article aside audio blockquote body br button canvas caption center col colgroup dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html img input legend li link main menu meta nav ol option p picture pre progress ruby section select source summary table tbody td textarea tfoot th thead tr track ul video path g rect circle line polyline polygon ellipse defs use".split(
    " ",
  ),
]);

export interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly isSelfClosing: boolean;
  /** Attributes whose value is a text. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Behind the `>`. */
  readonly end: number;
}

/** The tag that begins at `<`; undefined if it is text. */
export function readTag(text: string, from: number): Tag | undefined {
  const start = /^<(\/\s*|)([A-Za-z][\w.:-]*|)/.exec(text.slice(from, from + 120));
  if (!start || (start[2] === "" && text[from + start[0].length] !== ">")) return undefined;
  const attributes = new Map<string, string>();
  let at = from + start[0].length;
  let name: string | undefined;
  while (at < text.length) {
    const sign = text[at]!;
    if (sign === ">") {
      const isSelfClosing = text[at - 1] === "/";
      return { name: start[2]!, isClosing: start[1] !== "", isSelfClosing, attributes, end: at + 1 };
    }
    if (sign === '"' || sign === "'") {
      const end = text.indexOf(sign, at + 1);
      if (end < 0) return undefined;
      if (name !== undefined) attributes.set(name, text.slice(at + 1, end));
      name = undefined;
      at = end + 1;
    } else if (sign === "{") {
      const end = skipBraces(text, at);
      if (end === undefined) return undefined;
      const value = /^\{\s*(["'])([^"'\\]*)\1\s*\}$/.exec(text.slice(at, end));
      if (name !== undefined && value) attributes.set(name, value[2]!);
      name = undefined;
      at = end;
    } else if (/[\w@:-]/.test(sign)) {
      const word = /^[\w@:.-]+/.exec(text.slice(at, at + 200))![0];
      name = word;
      at += word.length;
    } else if (/[\s=/]/.test(sign)) at++;
    else return undefined;
  }
  return undefined;
}

/** Behind the brace that closes the one at `from`; undefined if none does. */
export function skipBraces(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!;
    if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at);
      if (end < 0) return undefined;
      at = end + 1;
    } else if (sign === '"' || sign === "'" || sign === "`") {
      const end = endOfString(text, at);
      // An apostrophe in a text.
      if (end !== undefined) at = end;
    } else if (sign === "{") depth++;
    else if (sign === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}

function endOfString(text: string, from: number): number | undefined {
  const sign = text[from]!;
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === sign) return at;
    else if (text[at] === "\n" && sign !== "`") return undefined;
  }
  return undefined;
}

/** Attributes that the vendor's components show as text. */
const shown: Readonly<Record<string, readonly string[]>> = {
  Accordion: ["title", "description"],
  Card: ["title", "cta"],
  Tab: ["title"],
  Step: ["title"],
  Update: ["label", "description"],
  Expandable: ["title"],
  Frame: ["caption"],
  ParamField: ["path", "query", "body", "header", "type"],
  ResponseField: ["name", "type"],
  Tooltip: ["tip"],
  "Tree.File": ["name"],
  "Tree.Folder": ["name"],
};

export const labelsOf = (name: string, attributes: ReadonlyMap<string, string>): string[] =>
  // In an older form, the place of a parameter is a part of its name: `query.limit`.
  (shown[name] ?? []).map((key) => (attributes.get(key) ?? "").replace(/^(?:query|path|body|header)\./, ""));

export function textOfEntities(text: string): string {
  return text.replace(/&(?:#\d+|#x[\da-f]+|[a-z]\w*);/gi, (entity) => {
    const [node] = parseFragment(entity).childNodes;
    return node && "value" in node ? node.value : entity;
  });
}
