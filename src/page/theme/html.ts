import type { ElementContent, Root } from "hast";
import { writeHtml } from "../../lib/html/write-html.js";
import { flattenChildren, type JsxChild } from "../../lib/jsx/jsx-runtime.js";

/** HTML that pages share, rendered once. Text that differs goes to marks: attributes `data-mark="<key> <kind>"`. */
export interface Template {
  readonly html: string;
  readonly marks: ReadonlyMap<string, readonly Mark[]>;
}
interface Mark {
  readonly at: number;
  readonly kind: string;
}

/** The text inserted at a mark of this kind if its key is chosen. At other kinds, the value of the key is inserted. */
const insertions: Readonly<Record<string, string>> = {
  active: ' data-active="true"',
  current: ' aria-current="page"',
  open: " open",
};

/** A whole tag with attributes. In text, ` data-mark="…"` is outside of tags or has escaped quotes. */
const openingTag = /<[a-z][^\s"'<>/=]*(?:\s+[^\s"'<>/=]+(?:="[^"]*")?)+/gi;

export function createTemplate(source: string): Template {
  const marks = new Map<string, Mark[]>();
  let html = "";
  let last = 0;
  for (const tag of source.matchAll(openingTag)) {
    const match = / data-mark="(\S+) (\w+)"/.exec(tag[0]);
    if (!match) continue;
    html += source.slice(last, tag.index + match.index);
    last = tag.index + match.index + match[0].length;
    const [, key, kind] = match as unknown as [string, string, string];
    const marksOfKey = marks.get(key);
    if (marksOfKey) marksOfKey.push({ at: html.length, kind });
    else marks.set(key, [{ at: html.length, kind }]);
  }
  return { html: html + source.slice(last), marks };
}

/** The HTML with the marks of these keys filled in. @param values the text for marks of other kinds, by key. */
export function fillTemplate(
  { html, marks }: Template,
  keys: Iterable<string>,
  values: ReadonlyMap<string, string> = new Map(),
): string {
  const chosen: { at: number; text: string }[] = [];
  for (const key of keys)
    for (const mark of marks.get(key) ?? []) chosen.push({ at: mark.at, text: insertions[mark.kind] ?? "" });
  for (const [key, text] of values) for (const mark of marks.get(key) ?? []) chosen.push({ at: mark.at, text });
  chosen.sort((a, b) => a.at - b.at);
  let out = "";
  let last = 0;
  for (const { at, text } of chosen) {
    out += html.slice(last, at) + text;
    last = at;
  }
  return out + html.slice(last);
}

/** The HTML of JSX; empty for null, undefined and booleans. */
export function htmlOf(child: JsxChild): string {
  const children: ElementContent[] = flattenChildren(child);
  const root: Root = { type: "root", children };
  return writeHtml(root);
}

export const styleLink = (href: string): string => `<link rel="stylesheet" href="${href}">`;
export const deferredScript = (src: string): string => `<script defer src="${src}"></script>`;
