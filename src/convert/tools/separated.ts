import type { NavEntry } from "../project.js";

/** A title between entries, which begins a group. */
export interface Separator {
  readonly separator: string;
}

/** Entries after a separator are its group. */
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
