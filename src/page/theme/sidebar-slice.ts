import type { NavGroup, NavNode, NavTree } from "./nav-tree.js";

/** Entries of a level that move in or out of a slice at once, so that neighbouring pages share a rendering. */
const blockEntries = 20;

/**
 * The part of a large sidebar that a page shows: a run of entries at each level, and only the groups around the page.
 */
export interface Slice {
  readonly key: string;
  /** The first entry shown of a level, by the number of its group; -1 for the top. */
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

/** The entries of a level that are shown, and the neighbours on either side that are not. @param holder as in `starts`. */
export function windowOf(slice: Slice | undefined, nodes: readonly NavNode[], holder: number) {
  const start = slice?.starts.get(holder);
  if (start === undefined) return { shown: nodes };
  const end = start + 3 * blockEntries;
  return { shown: nodes.slice(start, end), before: nodes[start - 1], after: nodes[end] };
}
