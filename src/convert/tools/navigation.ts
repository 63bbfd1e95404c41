/** Navigations made from folders, and from lists in Markdown. */
import { folderOf, nameOf } from "../../lib/url/index.js";
import type { IndexPage, NavEntry } from "../project.js";

/** The position, label and marks of a page or folder. */
export interface OrderFacts {
  readonly position?: number | undefined;
  readonly label?: string | undefined;
  readonly expanded?: boolean | undefined;
  readonly icon?: string | undefined;
  readonly tag?: string | undefined;
  /** The page that the label of a folder opens. */
  readonly root?: string | undefined;
  readonly index?: IndexPage | undefined;
}

/** A number that sorts a name: `01-install`, `2. Usage`, `(3)guides`. In `2.x`, it is a version. */
const numbered = /^(?:\((?=\d{1,6}\)))?(\d{1,6})(?!\.x\b)(?:[-_.)]\s*|\s+)(?=\D)/;

/** A name of a file or folder as words: `02-getting_started` -> `Getting started`. */
export const readableName = (name: string): string =>
  withoutOrder(name)
    .replace(/[-_]+/g, " ")
    .trim()
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

export const withoutNumber = (name: string): string => name.replace(numbered, "");

/** A year stays: `2019-notes`. */
export const withoutOrder = (name: string): string => (/^(?:19|20)\d\d\D/.test(name) ? name : withoutNumber(name));

/**
 * A navigation made from folders: a group for each. Entries are sorted by their position, then by the number before their
 * name, then by name; the start page of a folder comes first.
 */
export function folderEntries(
  sources: readonly string[],
  root: string,
  factsOf: (path: string) => OrderFacts = () => ({}),
): NavEntry[] {
  const children = childrenOf(sources, root);
  const entriesOf = (folder: string): NavEntry[] =>
    [...(children.get(folder) ?? [])]
      .map((path) => ({ path, facts: factsOf(path), isFolder: children.has(path) }))
      .toSorted(
        (a, b) =>
          compare(sortKey(a.path, a.facts), sortKey(b.path, b.facts)) || Number(a.isFolder) - Number(b.isFolder),
      )
      .map(({ path, facts, isFolder }): NavEntry => {
        if (!isFolder) return { kind: "page", source: path, label: facts.label, icon: facts.icon };
        const { label = readableName(nameOf(path)) || nameOf(path), position: _, ...others } = facts;
        return { kind: "group", label, ...others, entries: entriesOf(path) };
      });
  return entriesOf(root);
}

/** Pages and folders by the folder that they are in. */
export function childrenOf(sources: Iterable<string>, root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const children = new Map<string, Set<string>>();
  for (const source of sources)
    for (let path = source; path !== root && path !== ""; path = folderOf(path)) {
      const siblings = children.get(folderOf(path)) ?? new Set();
      children.set(folderOf(path), siblings.add(path));
    }
  return children;
}

type Key = readonly [start: number, position: number, name: string];

function sortKey(path: string, { position }: OrderFacts): Key {
  const name = nameOf(path).replace(/\.(?:mdx?|markdown)$/, "");
  const place = position ?? Number(numbered.exec(name)?.[1] ?? Number.POSITIVE_INFINITY);
  return [/^(?:_?index|readme)$/i.test(name) ? 0 : 1, place, withoutNumber(name).toLowerCase()];
}

const compare = (a: Key, b: Key): number =>
  a[0] - b[0] || (a[1] === b[1] ? 0 : a[1] - b[1]) || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);

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
    const [, linkLabel, inBrackets, href = inBrackets ?? ""] =
      /\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\((?:<([^<>]*)>|((?:[^\s<>()]|\([^\s<>()]*\))*))[^()]*\)/.exec(item) ?? [];
    const written = linkLabel ?? item;
    // The stars of a file pattern are not emphasis.
    const label = (
      linkLabel === undefined && /[*?][./]|\/\*/.test(written)
        ? written
        : written
            .replace(/!\[([^\]]*)\]\([^()]*\)/g, (_, alt: string, at: number, all: string) =>
              /\)[^()]*\w/.test(all.slice(at)) ? "" : alt,
            )
            .replace(/`([^`]*)`|(?<!\\)[*`]|<[^<>]*>/g, "$1")
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
