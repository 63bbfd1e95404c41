import { compareDiagnostics, type Diagnostic } from "../diagnostic/index.js";
import type { Report } from "./json-value.js";

/** Beyond this many faults of one configuration the rest is counted: nobody reads them, and a hostile file has millions. */
export const maxDiagnosticCount = 500;

/** Gathers what is reported; `sorted` gives it in printing order. */
export function diagnosticCollector(sourcePath: string): { readonly report: Report; sorted(): Diagnostic[] } {
  const kept: Diagnostic[] = [];
  let moreCount = 0;
  return {
    report: (diagnostic) => {
      if (kept.length < maxDiagnosticCount) kept.push(typeof diagnostic === "function" ? diagnostic() : diagnostic);
      else moreCount += 1;
    },
    sorted: () => {
      if (moreCount === 0) return kept.sort(compareDiagnostics);
      const rest: Diagnostic = {
        code: "CONFIG_MORE_FAULTS",
        severity: "warning",
        what: `The configuration has ${moreCount} more faults than the ${maxDiagnosticCount} listed.`,
        place: { sourcePath },
        fix: "correct the listed ones first.",
      };
      return [...kept, rest].sort(compareDiagnostics);
    },
  };
}
