import type { Division, PagePlan, SidebarEntry, SidebarGroup } from "../../site/site.js";

/** A sidebar whose groups are numbered in reading order, as in the navigation script. */
export interface NavTree {
  readonly nodes: readonly NavNode[];
  readonly count: number;
  /** Groups around the first occurrence of a page, outermost first. */
  readonly groupsOf: ReadonlyMap<number, readonly NavGroup[]>;
}
export type NavNode = NavGroup | Exclude<SidebarEntry, SidebarGroup>;
export interface NavGroup extends Omit<SidebarGroup, "entries"> {
  readonly id: number;
  readonly nodes: readonly NavNode[];
  /** The first page in the group or below. */
  readonly first?: number;
}

export function navTreeOf(division: Division): NavTree {
  const groupsOf = new Map<number, readonly NavGroup[]>();
  let count = 0;
  let groupCount = 0;

  const read = (entries: readonly SidebarEntry[], around: readonly NavGroup[]): NavNode[] =>
    entries.map((entry) => {
      count++;
      if (entry.type === "link") return entry;
      if (entry.type === "page") {
        if (!groupsOf.has(entry.page)) groupsOf.set(entry.page, around);
        return entry;
      }
      const nodes: NavNode[] = [];
      const group = { ...entry, id: groupCount++, nodes, first: firstPage(entry) };
      if (entry.root !== undefined && !groupsOf.has(entry.root)) groupsOf.set(entry.root, [...around, group]);
      nodes.push(...read(entry.entries, [...around, group]));
      return group;
    });
  return { nodes: read(division.entries, []), count, groupsOf };
}

function firstPage(entry: SidebarEntry): number | undefined {
  if (entry.type === "page") return entry.page;
  if (entry.type === "link") return undefined;
  if (entry.root !== undefined) return entry.root;
  for (const child of entry.entries) {
    const found = firstPage(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The label of a page in the navigation. */
export const labelOf = ({ sidebarTitle, title }: PagePlan): string => sidebarTitle ?? title;
