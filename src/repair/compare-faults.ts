import type { Diagnostic } from "../lib/diagnostic/index.js";

/** The same for one fault before and after other lines of its file have changed. */
export const keyOf = ({ code, what, location }: Diagnostic): string =>
  `${code} ${location?.sourcePath ?? ""} ${what.replace(/\bline \d+/g, "line")}`;

/**
 * Faults of a file that cannot be read: as long as it has one, the others cannot be seen. They have not come with the edit
 * that makes it readable.
 */
export const hidesOthers = ({ code }: Diagnostic): boolean => hiding.has(code);
const hiding = new Set(["JSON_BROKEN", "MDX_SYNTAX", "NOT_UTF8", "SPEC_SYNTAX", "FRONTMATTER_SYNTAX"]);

/** The faults of `after` that `before` does not have. */
export function addedFaults(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic[] {
  const left = counted(before);
  // Once listed ones are gone, others take their places.
  const isCut = before.some(({ code }) => code === "CONFIG_MORE_FAULTS");
  return after.filter((fault) => {
    if (fault.code === "CONFIG_MORE_FAULTS" || (isCut && fault.code.startsWith("CONFIG_"))) return false;
    const key = keyOf(fault);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function counted(faults: readonly Diagnostic[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(keyOf(fault), (counts.get(keyOf(fault)) ?? 0) + 1);
  return counts;
}

/** Those of the mended faults that are still there: all with one key if one of these is, for they look the same. */
export function stayingFaults(
  mended: readonly Diagnostic[],
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): Set<Diagnostic> {
  const [had, has] = [counted(before), counted(after)];
  const groups = Map.groupBy(mended, keyOf);
  return new Set(
    [...groups].flatMap(([key, group]) => ((has.get(key) ?? 0) > (had.get(key) ?? 0) - group.length ? group : [])),
  );
}
