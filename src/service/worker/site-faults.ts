import type { ExportResult } from "../../export/index.js";
import { type Diagnostic, formatDiagnostic } from "../../lib/diagnostic/index.js";

const maxFaults = 10;
const maxCharacters = 4000;

/**
 * Why a job fails although the export ran: the site has fatal errors, or lacks the requested pages. Undefined if the
 * bundle can be published despite its diagnostics.
 *
 * Out: the first faults, each with its location and fix.
 */
export function siteFaults(result: ExportResult): string | undefined {
  const errors = result.diagnostics.filter(({ severity }) => severity === "error");
  const fatal = result.ok ? errors.filter(({ code }) => code === "PATH_UNKNOWN") : errors;
  if (result.ok && fatal.length === 0) return undefined;
  return print("The site could not be exported.", fatal);
}

function print(headline: string, faults: readonly Diagnostic[]): string {
  const lines = [headline];
  let length = headline.length;
  for (const fault of faults.slice(0, maxFaults)) {
    const text = formatDiagnostic(fault);
    length += text.length + 1;
    if (length > maxCharacters) break;
    lines.push(text);
  }
  const hidden = faults.length - (lines.length - 1);
  if (hidden > 0) lines.push(`… and ${hidden} more: "offprint check --all" prints each.`);
  return lines.join("\n");
}
