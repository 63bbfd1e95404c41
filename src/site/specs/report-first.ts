import type { Diagnostic } from "../../lib/diagnostic/index.js";

const maxReported = 20;

/**
 * Reports the first faults of a kind, and only counts the others.
 *
 * @param noun completes `openapi.json has 3 more …`.
 */
export function reportFirst<Fault>(
  source: string,
  faults: readonly Fault[],
  report: (fault: Fault) => Diagnostic,
  noun: string,
): Diagnostic[] {
  const diagnostics = faults.slice(0, maxReported).map(report);
  const [first] = diagnostics;
  if (first === undefined || faults.length <= maxReported) return diagnostics;
  const what = `${source} has ${faults.length - maxReported} more ${noun}.`;
  const fix = "fix the listed ones first.";
  return [...diagnostics, { code: first.code, severity: "warning", what, location: { sourcePath: source }, fix }];
}
