import { compareDiagnostics, type Diagnostic } from "../../lib/diagnostic/index.js";
import type { Report } from "./json-value.js";

/** Further faults of one configuration are only counted: a hostile file has millions. */
export const maxDiagnosticCount = 500;

export interface DiagnosticCollector {
  readonly report: Report;
  /** Whether an error has been reported so far. */
  hasErrors(): boolean;
  /** The reported diagnostics, in printing order. */
  sorted(): Diagnostic[];
}

export function diagnosticCollector(sourcePath: string): DiagnosticCollector {
  const kept: Diagnostic[] = [];
  let moreCount = 0;
  return {
    report: (diagnostic) => {
      if (kept.length < maxDiagnosticCount) kept.push(typeof diagnostic === "function" ? diagnostic() : diagnostic);
      else moreCount += 1;
    },
    hasErrors: () => kept.some(({ severity }) => severity === "error"),
    sorted: () => {
      if (moreCount === 0) return kept.sort(compareDiagnostics);
      const rest: Diagnostic = {
        code: "CONFIG_MORE_FAULTS",
        severity: "warning",
        what: `The configuration has ${moreCount} more faults than the ${maxDiagnosticCount} listed.`,
        location: { sourcePath },
        fix: "correct the listed ones first.",
      };
      return [...kept, rest].sort(compareDiagnostics);
    },
  };
}
