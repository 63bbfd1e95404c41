import type { ExportResult } from "../../export/index.js";
import { type Diagnostic, formatDiagnostic, type Location, type RelatedPlace } from "../../lib/diagnostic/index.js";
import { type Fields, fieldsOf } from "../../lib/json/index.js";

/** What an export found in a site, as its process sends it. */
export interface Findings {
  readonly errors: number;
  readonly warnings: number;
  /** Errors first; only the first ones if there are very many. */
  readonly diagnostics: readonly Diagnostic[];
}

const maxDiagnostics = 10_000;
const maxTextLength = 2000;
const maxTotalLength = 8 * 1024 * 1024;

/** @param hide removes paths of this machine from a text. */
export function findingsOf(diagnostics: readonly Diagnostic[], hide: (text: string) => string): Findings {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  const shown: Diagnostic[] = [];
  let length = 0;
  for (const each of [...errors, ...warnings].slice(0, maxDiagnostics)) {
    const diagnostic = { ...each, what: cut(hide(each.what)), fix: cut(hide(each.fix)) };
    length += JSON.stringify(diagnostic).length;
    if (length > maxTotalLength) break;
    shown.push(diagnostic);
  }
  return { errors: errors.length, warnings: warnings.length, diagnostics: shown };
}

/** JSON lines. Each is a valid diagnostic, whatever the process has sent: it runs untrusted content. */
export function findingsLines({ diagnostics }: Findings): Buffer {
  const lines: string[] = [];
  let length = 0;
  for (const each of (Array.isArray(diagnostics) ? diagnostics : []).slice(0, maxDiagnostics) as unknown[]) {
    const line = `${JSON.stringify(diagnosticOf(fieldsOf(each)))}\n`;
    length += line.length;
    if (length > 2 * maxTotalLength) break;
    lines.push(line);
  }
  return Buffer.from(lines.join(""));
}

function diagnosticOf({ code, severity, what, fix, location, related }: Fields): Diagnostic {
  return {
    code: textOf(code),
    severity: severity === "error" ? "error" : "warning",
    what: textOf(what),
    ...(location !== undefined && { location: locationOf(fieldsOf(location)) }),
    ...(related !== undefined && { related: relatedOf(fieldsOf(related)) }),
    fix: textOf(fix),
  };
}

const locationOf = ({ sourcePath, line, column, length }: Fields): Location => ({
  sourcePath: textOf(sourcePath),
  line: countOf(line),
  column: countOf(column),
  length: countOf(length),
});

const relatedOf = ({ location, what }: Fields): RelatedPlace => ({
  location: locationOf(fieldsOf(location)),
  what: textOf(what),
});

const textOf = (value: unknown): string => (typeof value === "string" ? cut(value) : "");
export const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
const cut = (text: string): string =>
  (text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text).toWellFormed();

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
