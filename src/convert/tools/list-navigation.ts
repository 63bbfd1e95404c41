import type { NavEntry } from "../project.js";

/** An item of a nested list in Markdown: a link or a title, and the items below it. */
export interface ListItem {
  readonly label: string;
  /** Absent for a title. */
  readonly href?: string | undefined;
  readonly line: number;
  readonly items: ListItem[];
}

/** The items of the lists in a navigation file such as SUMMARY.md or _sidebar.md. */
export function listEntries(text: string): readonly ListItem[] {
  const all: ListItem[] = [];
  const stack: { readonly indent: number; readonly items: ListItem[] }[] = [{ indent: -1, items: all }];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const [, blanks = "", item = ""] = (line.length < 5000 && /^([ \t]*)[-*+]\s+(.*?)\s*$/.exec(line)) || [];
    if (item === "") continue;
    const indent = blanks.replaceAll("\t", "    ").length;
    while (stack.length > 1 && stack.at(-1)!.indent >= indent) stack.pop();
    const [, linkLabel, href = ""] =
      /\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(<?((?:[^\s<>()]|\([^\s<>()]*\))*)>?[^()]*\)/.exec(item) ?? [];
    const written = linkLabel ?? item;
    // The stars of a file pattern are not emphasis.
    const label = (
      linkLabel === undefined && /[*?][./]|\/\*/.test(written)
        ? written
        : written
            .replace(/!\[([^\]]*)\]\([^()]*\)/g, (_, alt: string, at: number, all: string) =>
              /\)[^()]*\w/.test(all.slice(at)) ? "" : alt,
            )
            .replace(/(?<!\\)[*`]|<[^<>]*>/g, "")
            .replace(/\\([^\p{L}\p{N}\s])/gu, "$1")
    ).trim();
    const plainHref = href.replace(/\\([^\p{L}\p{N}\s])/gu, "$1");
    const entry: ListItem = { label, href: linkLabel === undefined ? undefined : plainHref, line: i + 1, items: [] };
    stack.at(-1)!.items.push(entry);
    if (stack.length < 30) stack.push({ indent, items: entry.items });
  }
  return all;
}

/** A title between entries that begins a group. */
export interface Separator {
  readonly separator: string;
}

/** Puts the entries after a separator into its group. */
export function groupsOf(items: readonly (NavEntry | Separator)[]): NavEntry[] {
  const all: NavEntry[] = [];
  let group: NavEntry[] = all;
  for (const item of items) {
    if ("separator" in item) {
      group = [];
      if (item.separator === "") group = all;
      else all.push({ kind: "group", label: item.separator, entries: group });
    } else group.push(item);
  }
  return all;
}
