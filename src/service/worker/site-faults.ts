import type { ExportResult } from "../../export/index.js";
import { type Diagnostic, formatDiagnostic } from "../../lib/diagnostic/index.js";

const mostFaults = 10;
const mostCharacters = 4000;

/**
 * Why a job ends as failed although the export ran: the site cannot be exported, or has not the pages that were asked for.
 * Undefined: the bundle is to be published, whatever else its site lacks.
 *
 * Out: each fault with its place and its fix, as many as a person reads.
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
  for (const fault of faults.slice(0, mostFaults)) {
    const text = formatDiagnostic(fault);
    length += text.length + 1;
    if (length > mostCharacters) break;
    lines.push(text);
  }
  const hidden = faults.length - (lines.length - 1);
  if (hidden > 0) lines.push(`… and ${hidden} more: "offprint check" prints all.`);
  return lines.join("\n");
}
