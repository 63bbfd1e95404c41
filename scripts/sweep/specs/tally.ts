// Counts what was compared and what is missing, by kind.
import type { Miss, Tally } from "./check-operation.ts";
import type { Walk } from "./walk-properties.ts";

export interface KindCount {
  checked: number;
  missed: number;
  /** The first few. */
  readonly examples: Miss[];
}

export interface Counts extends Tally {
  readonly kinds: ReadonlyMap<string, KindCount>;
  /** Properties on the page of their operation, one link away, two, and further. */
  readonly distances: readonly number[];
  /** Operations whose schemas lead to more places than were followed. */
  cutWalks: number;
}

export function createCounts(examplesOfKind: number): Counts {
  const kinds = new Map<string, KindCount>();
  const distances = [0, 0, 0, 0];
  const countOf = (kind: string): KindCount => {
    const known = kinds.get(kind);
    if (known) return known;
    const count: KindCount = { checked: 0, missed: 0, examples: [] };
    kinds.set(kind, count);
    return count;
  };
  const counts: Counts = {
    kinds,
    distances,
    cutWalks: 0,
    check(kind, isThere, place, what, page) {
      const count = countOf(kind);
      count.checked++;
      if (isThere) return;
      count.missed++;
      if (count.examples.length < examplesOfKind)
        count.examples.push({ kind, place, what: what(), ...(page === undefined ? {} : { page }) });
    },
    addWalk(place: string, walk: Walk, page: string) {
      countOf("property").checked += walk.properties;
      countOf("property too far").checked += walk.properties;
      for (const kind of ["property title", "property description", "enum value", "property example"])
        countOf(kind).checked += walk.described;
      walk.distances.forEach((count, i) => {
        distances[i]! += count;
      });
      if (walk.isCut) counts.cutWalks++;
      for (const { kind, path, text } of walk.misses) {
        const count = countOf(kind);
        count.missed++;
        if (count.examples.length < examplesOfKind)
          count.examples.push({
            kind,
            place,
            what: text === undefined ? path : `${path}: ${text.slice(0, 160)}`,
            page,
          });
      }
    },
  };
  return counts;
}
