import type { SpecEntry } from "../../specs/index.js";

/** More operations on one resource are divided by what the resource has. */
const maxRows = 12;
const maxLevels = 3;

/**
 * The labels of the groups around each operation without a tag, outermost first: the resources that its path names. There are
 * no groups if each operation would be alone in one, or if all are on one resource, whose name says nothing then.
 */
export function resourceGroups(entries: readonly SpecEntry[]): ReadonlyMap<SpecEntry, readonly string[]> {
  const groups = new Map<SpecEntry, readonly string[]>();
  const divide = (members: readonly SpecEntry[], depth: number, around: readonly string[]): void => {
    const byResource = Map.groupBy(members, ({ resources }) => resources![depth]);
    const isDivided = [...byResource.values()].some(({ length }) => length > 1);
    // Beside groups, rows without one are hard to find; below a resource, they are about itself.
    const least = around.length === 0 && isDivided ? 1 : 2;
    for (const [resource, inner] of byResource) {
      const isAll = inner.length === members.length;
      if (resource === undefined || inner.length < least) for (const entry of inner) groups.set(entry, around);
      else {
        const labels = isAll ? around : [...around, resource];
        const isDeeper = isAll || (inner.length > maxRows && labels.length < maxLevels);
        if (isDeeper) divide(inner, depth + 1, labels);
        else for (const entry of inner) groups.set(entry, labels);
      }
    }
  };
  const untagged = entries.filter(({ resources, excluded }) => resources !== undefined && !excluded);
  divide(untagged, 0, []);
  return groups;
}
