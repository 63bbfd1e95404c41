import { join } from "node:path";
import { type Diagnostic, type ExportResult, formatDiagnostic } from "../../index.js";
import { locationText } from "../../lib/diagnostic/index.js";
import type { Environment } from "../environment.js";
import { createReader } from "../site-source.js";
import { colorizer, count, digits, jsonLines, pathFromHere } from "./terminal.js";

/** How a run is reported. */
export interface ReportOptions {
  /** Folder of the site as typed. */
  readonly site: string;
  readonly display: "live" | "json" | "quiet";
  /** Of the diagnostics. */
  readonly format: "text" | "github" | "sarif";
  /** Print every diagnostic, not just the first of each code. */
  readonly all: boolean;
  /** Print how long each stage took. */
  readonly verbose: boolean;
}

export const severityColors = { error: "red", warning: "yellow", hint: "cyan" } as const;

const maxErrors = 20;
const maxWarningsPerCode = 3;

/** Prints the diagnostics: as text on stderr, in any other format on stdout. */
export async function printDiagnostics(
  { ok, diagnostics }: Pick<ExportResult, "ok" | "diagnostics">,
  options: ReportOptions,
  environment: Environment,
): Promise<void> {
  const { stdout } = environment;
  const { display, format, site } = options;
  if (display === "json")
    stdout.write(jsonLines(diagnostics.map((diagnostic) => ({ type: "diagnostic", ...diagnostic }))));
  else if (format === "github") for (const diagnostic of diagnostics) stdout.write(`${annotation(diagnostic, site)}\n`);
  else if (format === "sarif") {
    // Loaded lazily: it has the texts of all codes.
    const { sarifLog } = await import("./sarif.js");
    stdout.write(`${JSON.stringify(sarifLog(diagnostics, site), null, 2)}\n`);
  } else if (display !== "quiet" || !ok) printText(diagnostics, options, environment);
}

function printText(every: readonly Diagnostic[], options: ReportOptions, { stderr, env }: Environment): void {
  const shown = options.all ? every : every.filter(({ severity }) => severity !== "hint");
  const diagnostics = byCode(shown).flatMap(([, matches]) => matches);
  const printed = options.all ? diagnostics : firstOfEach(diagnostics);
  const [first] = printed;
  if (!first) return;
  const readText = createReader(options.site);
  // The site as the user typed it, so that terminals and editors find the file.
  const pathOf = (sourcePath: string): string => join(options.site, sourcePath);
  const color = colorizer(stderr, env);
  const paint = (text: string, severity: Diagnostic["severity"]): string => color(text, severityColors[severity]);
  for (const diagnostic of printed) stderr.write(`${formatDiagnostic(diagnostic, readText, { pathOf, paint })}\n\n`);
  const explain = `"offprint explain ${first.code}" explains a code.`;
  if (printed.length === diagnostics.length) return void stderr.write(`${explain}\n\n`);
  const printedByCode = Map.groupBy(printed, ({ code }) => code);
  for (const [code, all] of Map.groupBy(diagnostics, (diagnostic) => diagnostic.code)) {
    const hidden = all.length - (printedByCode.get(code)?.length ?? 0);
    const files = new Set(all.map(({ location }) => location?.sourcePath)).size;
    if (hidden > 0) stderr.write(`… and ${digits(hidden)} more ${code} in ${count(files, "file")}\n`);
  }
  stderr.write(`--all prints each, --report file.json writes them. ${explain}\n\n`);
}

/** Errors first, then warnings, and of each the most frequent code. One code may have several severities. */
export function byCode(
  diagnostics: readonly Diagnostic[],
): (readonly [code: string, matches: readonly Diagnostic[]])[] {
  const groups = [...Map.groupBy(diagnostics, ({ code, severity }) => `${severity} ${code}`).values()];
  const rank = ([first]: readonly Diagnostic[]): number => severities.indexOf(first!.severity);
  return groups
    .toSorted((a, b) => rank(a) - rank(b) || b.length - a.length)
    .map((matches) => [matches[0]!.code, matches]);
}
const severities: readonly Diagnostic["severity"][] = ["error", "warning", "hint"];

/** The first errors, and the first warnings of each code. */
function firstOfEach(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const counts = new Map<string, number>();
  return diagnostics.filter(({ code, severity }) => {
    const key = severity === "error" ? "error" : code;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key)! <= (severity === "error" ? maxErrors : maxWarningsPerCode);
  });
}

/** A workflow command of GitHub Actions, which marks the line in a pull request. */
function annotation({ severity, code, what, fix, location, related }: Diagnostic, site: string): string {
  const { sourcePath, line, column, length } = location ?? {};
  const properties = {
    file: sourcePath === undefined ? undefined : pathFromHere(site, sourcePath),
    line,
    col: column,
    endColumn: column === undefined || length === undefined ? undefined : column + length,
    title: code,
  };
  const list = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeData(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`],
  );
  const second = related ? `\n${locationText(related.location)}: ${related.what}` : "";
  return `::${severity === "hint" ? "notice" : severity} ${list.join(",")}::${escapeData(`${what}${second}\nfix: ${fix}`)}`;
}

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
