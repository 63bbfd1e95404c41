import { folderOf, nameOf } from "../../lib/url/index.js";

/** What is known of a page or folder, besides its path. */
export interface OrderFacts {
  readonly position?: number | undefined;
  readonly label?: string | undefined;
}

export type FolderEntry =
  | { readonly kind: "page"; readonly source: string }
  | {
      readonly kind: "group";
      readonly folder: string;
      readonly label: string;
      readonly entries: readonly FolderEntry[];
    };

/** A number before a name that gives its place: `01-install`, `2. Usage`. */
const numbered = /^(\d{1,6})(?:[-_.)]\s*|\s+)(?=\D)/;

/** A name of a file or folder as words: `02-getting_started` -> `Getting started`. */
export const readableName = (name: string): string =>
  withoutNumber(name)
    .replace(/[-_]+/g, " ")
    .trim()
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

export const withoutNumber = (name: string): string => name.replace(numbered, "");

/**
 * A navigation made from folders: a group for each. Entries are sorted by their position, then by the number before their
 * name, then by name; the start page of a folder comes first.
 */
export function folderNavigation(
  sources: readonly string[],
  factsOf: (path: string) => OrderFacts = () => ({}),
  below = "",
): FolderEntry[] {
  const inFolder = new Map<string, string[]>();
  const folders = new Map<string, Set<string>>();
  for (const source of sources) {
    if (below !== "" && !source.startsWith(`${below}/`)) continue;
    const folder = folderOf(source);
    const beside = inFolder.get(folder);
    if (beside) beside.push(source);
    else inFolder.set(folder, [source]);
    for (let at = folder; at !== below && at !== ""; at = folderOf(at)) {
      const parent = folderOf(at);
      const known = folders.get(parent) ?? new Set();
      if (known.has(at)) break;
      folders.set(parent, known.add(at));
    }
  }
  const entriesOf = (folder: string): FolderEntry[] => {
    const pages = (inFolder.get(folder) ?? []).map((source) => ({
      path: source,
      entry: { kind: "page", source } as FolderEntry,
    }));
    const groups = [...(folders.get(folder) ?? [])].map((path) => {
      const label = factsOf(path).label ?? (readableName(nameOf(path)) || nameOf(path));
      return { path, entry: { kind: "group", folder: path, label, entries: entriesOf(path) } as FolderEntry };
    });
    return [...pages, ...groups]
      .map(({ path, entry }) => ({ entry, key: sortKey(path, factsOf(path)) }))
      .toSorted((a, b) => compare(a.key, b.key))
      .map(({ entry }) => entry);
  };
  return entriesOf(below);
}

type Key = readonly [start: number, position: number, name: string];

function sortKey(path: string, { position }: OrderFacts): Key {
  const name = nameOf(path).replace(/\.mdx?$/, "");
  const place = position ?? Number(numbered.exec(name)?.[1] ?? Number.POSITIVE_INFINITY);
  return [/^(?:index|readme)$/i.test(name) ? 0 : 1, place, withoutNumber(name).toLowerCase()];
}

const compare = (a: Key, b: Key): number =>
  a[0] - b[0] || (a[1] === b[1] ? 0 : a[1] - b[1]) || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);
