import type { Diagnostic } from "./diagnostic.js";

/** Sorts for printing: by file, line, column, then code and text. Diagnostics without a file come first. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.location?.sourcePath ?? "", b.location?.sourcePath ?? "") ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.what, b.what)
  );
}

/** By UTF-16 code unit: the same order on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
