import { createHash } from "node:crypto";
import type { Division, PagePlan, SidebarEntry, SidebarGroup, Site } from "../../../site/site.js";
import type { Links } from "../settings-links.js";

/** The entries of a sidebar. Groups are numbered in reading order, as in the navigation script. */
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
  /** The first page in the group or in a group inside it. */
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
    const page = firstPage(child);
    if (page !== undefined) return page;
  }
  return undefined;
}

/** The label of a page in the navigation. */
export const pageLabel = ({ sidebarTitle, title }: PagePlan): string => sidebarTitle ?? title;

/** Slices begin and end at multiples of this number, so that neighbouring pages have the same slice. */
const blockEntries = 20;

/** The part of a large sidebar that a page shows: a range of entries at each level, and the groups around it. */
export interface Slice {
  readonly key: string;
  /** The first visible entry of each level, by the number of its group; -1 for the top level. */
  readonly starts: ReadonlyMap<number, number>;
  readonly open: ReadonlySet<number>;
}

export function sliceAround(tree: NavTree, around: readonly NavGroup[], page: number): Slice {
  const starts = new Map<number, number>();
  let nodes = tree.nodes;
  let holder = -1;
  for (let depth = 0; depth <= around.length; depth++) {
    const next = around[depth];
    const at = next ? nodes.indexOf(next) : nodes.findIndex((node) => node.type === "page" && node.page === page);
    starts.set(holder, Math.max(0, (Math.floor(at / blockEntries) - 1) * blockEntries));
    if (!next) break;
    holder = next.id;
    nodes = next.nodes;
  }
  const open = new Set(around.map((group) => group.id));
  return { key: [...starts].join(" "), starts, open };
}

/** The visible entries of a level, and the entries before and after them. @param holder as in `starts`. */
export function windowOf(slice: Slice | undefined, nodes: readonly NavNode[], holder: number) {
  const start = slice?.starts.get(holder);
  if (start === undefined) return { shown: nodes };
  const end = start + 3 * blockEntries;
  return { shown: nodes.slice(start, end), before: nodes[start - 1], after: nodes[end] };
}

/** A large sidebar as data, in a classic script that the client loads when a reader opens a group. */
export interface NavScript {
  readonly outputPath: string;
  readonly text: string;
}

/**
 * `offprintNav(<nodes>)`. Each node is one of `[0, label, href, marker or 0?, tag?]`, `[1, label, nodes, groupNumber,
 * href?]`, `[2, label, href]`; hrefs start at the bundle's root. The file name contains a hash of the text.
 */
export function navScriptOf(site: Site, links: Links, division: Division, tree: NavTree): NavScript {
  const nodes = tree.nodes.map((node) => compact(site, links, node));
  // Escape "<", so that the text is safe in any context.
  const text = `offprintNav(${JSON.stringify(nodes).replaceAll("<", "\\u003c")});\n`;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return { outputPath: `_offprint/nav/${division.id}.${hash}.js`, text };
}

type CompactNode = readonly unknown[];

function compact(site: Site, links: Links, node: NavNode): CompactNode {
  if (node.type === "link") return [2, node.label, links.written("", node.href).href];
  if (node.type === "group") {
    const { label, nodes, id, root } = node;
    const path = root === undefined ? [] : [links.page("", root)];
    return [1, label, nodes.map((child) => compact(site, links, child)), id, ...path];
  }
  const plan = site.pages[node.page]!;
  const { marker } = plan;
  const { tag } = plan.frontmatter;
  const more = typeof tag === "string" ? [marker ?? 0, tag] : marker ? [marker] : [];
  return [0, pageLabel(plan), links.page("", node.page), ...more];
}
