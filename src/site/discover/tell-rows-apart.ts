import type { Division, PagePlan, SidebarEntry } from "../site.js";

/**
 * Adds the path of its operation to the name of each generated page whose row reads like another one of its group: the same
 * name with the same method. What the paths share at their start is left out.
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
      const paths = pages.map(({ api }) => (api?.kind === "operation" ? api.path : ""));
      const shared = sharedStart(paths);
      for (const [at, { index, sidebarTitle, title }] of pages.entries())
        names.set(index, `${sidebarTitle ?? title} · ${shared > 0 ? "…" : ""}${paths[at]!.slice(shared)}`);
    }
    for (const entry of entries) if (entry.type === "group") visit(entry.entries);
  };
  for (const { entries } of divisions) visit(entries);
  if (names.size === 0) return plans;
  return plans.map((plan) => (names.has(plan.index) ? { ...plan, sidebarTitle: names.get(plan.index)! } : plan));
}

/** Length of the segments that all paths start with; 0 if one of them is not longer. */
function sharedStart(paths: readonly string[]): number {
  const [first = "", ...others] = paths;
  let end = 0;
  for (let at = first.indexOf("/", 1); at > 0; at = first.indexOf("/", at + 1)) {
    if (!others.every((path) => path.startsWith(first.slice(0, at + 1)))) break;
    end = at;
  }
  return end;
}
