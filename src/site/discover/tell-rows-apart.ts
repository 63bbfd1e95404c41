import type { Division, PagePlan, SidebarEntry } from "../site.js";

/**
 * Adds the path of its operation to the name of each generated page whose row reads like another one of its group: the same
 * name with the same method. What the paths share at their start, and of long ones at
 * their end, is left out.
 */
export function tellRowsApart(plans: readonly PagePlan[], divisions: readonly Division[]): readonly PagePlan[] {
  const names = new Map<number, string>();
  const visit = (entries: readonly SidebarEntry[]): void => {
    const rows = entries.flatMap((entry) => (entry.type === "page" ? [plans[entry.page]!] : []));
    const isOperation = ({ generated, api }: PagePlan): boolean => generated !== undefined && api?.kind === "operation";
    const alike = Map.groupBy(rows.filter(isOperation), ({ sidebarTitle, title, marker }) =>
      JSON.stringify([(sidebarTitle ?? title).toLowerCase(), marker]),
    );
    for (const pages of alike.values()) {
      if (pages.length < 2) continue;
      const paths = shortened(pages.map(({ api }) => (api?.kind === "operation" ? api.path : "")));
      for (const [at, { index, sidebarTitle, title }] of pages.entries())
        names.set(index, `${sidebarTitle ?? title} · ${paths[at]}`);
    }
    for (const entry of entries) if (entry.type === "group") visit(entry.entries);
  };
  for (const { entries } of divisions) visit(entries);
  if (names.size === 0) return plans;
  return plans.map((plan) => (names.has(plan.index) ? { ...plan, sidebarTitle: names.get(plan.index)! } : plan));
}

/** Characters of a path that a row shows well. */
const maxShown = 40;

/** Paths without the segments that all start with and, if one is still long, without those that all end with. */
function shortened(paths: readonly string[]): string[] {
  const segments = paths.map((path) => path.split("/"));
  const least = Math.min(...segments.map(({ length }) => length));
  const countShared = (most: number, at: (path: readonly string[], i: number) => string | undefined): number => {
    let count = 0;
    while (count < most && segments.every((path) => at(path, count) === at(segments[0]!, count))) count++;
    return count;
  };
  // The first segment is empty.
  const start = countShared(least - 1, (path, i) => path[i]);
  const joined = (end: number): string[] =>
    segments.map((path) => {
      const shown = path.slice(start, path.length - end).join("/");
      return `${start > 1 ? "…" : ""}/${shown}${end > 0 ? "/…" : ""}`;
    });
  const whole = joined(0);
  if (whole.every(({ length }) => length <= maxShown)) return whole;
  return joined(countShared(least - start - 1, (path, i) => path.at(-1 - i)));
}
