/**
 * HTML that many pages share, rendered once: what differs from page to page is spliced in at marks. An element is
 * marked by `data-mark="<key> <kind>"`; the attribute itself never reaches a page.
 */
export interface Template {
  readonly html: string;
  readonly marks: ReadonlyMap<string, readonly Mark[]>;
}
interface Mark {
  readonly at: number;
  readonly kind: string;
}

/** What a mark of each kind becomes once its key is chosen; a kind that is not here takes the text given for its key. */
const insertions: Readonly<Record<string, string>> = {
  active: ' data-active="true"',
  current: ' aria-current="page"',
  open: " open",
};

/** A whole tag with attributes. Text may say ` data-mark="…"` too, but between tags; in a value its quotes are escaped. */
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
    const known = marks.get(key);
    if (known) known.push({ at: html.length, kind });
    else marks.set(key, [{ at: html.length, kind }]);
  }
  return { html: html + source.slice(last), marks };
}

/** The HTML with the marks of these keys in force; a value replaces the text of marks whose kind has none. */
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
