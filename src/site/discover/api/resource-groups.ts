import { pathLabels, type SpecEntry } from "../../specs/index.js";

/** More operations on one resource are divided by what the resource has. */
const maxRows = 12;
const maxLevels = 3;

/**
 * The labels of the groups around each operation without a tag, outermost first: the resources that its path names. An
 * operation that would be alone in a group is beside the groups; if all are on one resource, its name says nothing.
 */
export function resourceGroups(entries: readonly SpecEntry[]): ReadonlyMap<SpecEntry, readonly string[]> {
  const groups = new Map<SpecEntry, readonly string[]>();
  const segments = new Map<SpecEntry, readonly string[]>();
  const divide = (members: readonly SpecEntry[], depth: number, around: readonly string[]): void => {
    const byResource = Map.groupBy(members, (entry) => segments.get(entry)![depth]);
    for (const [resource, inner] of byResource) {
      const isAll = inner.length === members.length;
      if (resource === undefined || inner.length < 2) for (const entry of inner) groups.set(entry, around);
      else {
        const labels = isAll ? around : [...around, resource];
        const isDeeper = isAll || (inner.length > maxRows && labels.length < maxLevels);
        if (isDeeper) divide(inner, depth + 1, labels);
        else for (const entry of inner) groups.set(entry, labels);
      }
    }
  };
  const untagged = entries.filter(({ kind, tag, excluded }) => kind === "operation" && tag === undefined && !excluded);
  for (const entry of untagged) segments.set(entry, pathLabels(entry.name));
  divide(untagged, 0, []);
  return groups;
}
