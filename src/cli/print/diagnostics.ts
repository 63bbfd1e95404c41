import { join } from "node:path";
import { type Diagnostic, type ExportResult, formatDiagnostic } from "../../index.js";
import type { ExportArguments } from "../commands/export-options.js";
import type { Environment } from "../environment.js";
import { createReader } from "../site-source.js";
import { pathHere, sarifLog } from "./sarif.js";
import { painter } from "./terminal.js";

const errorsShown = 20;
const warningsShownPerCode = 3;

/** Prints the diagnostics: as text on stderr, in any other format on stdout. */
export function printDiagnostics(
  result: Pick<ExportResult, "ok" | "diagnostics">,
  args: ExportArguments,
  environment: Environment,
): void {
  const { stdout } = environment;
  const { diagnostics } = result;
  if (args.display === "json")
    for (const each of diagnostics) stdout.write(`${JSON.stringify({ type: "diagnostic", ...each })}\n`);
  else if (args.format === "github") for (const each of diagnostics) stdout.write(`${annotation(each, args.site)}\n`);
  else if (args.format === "sarif") stdout.write(`${JSON.stringify(sarifLog(diagnostics, args.site), null, 2)}\n`);
  else if (args.display !== "quiet" || !result.ok) printText(diagnostics, args, environment);
}

function printText(diagnostics: readonly Diagnostic[], args: ExportArguments, { stderr, env }: Environment): void {
  const shown = args.all ? diagnostics : firstOfEach(diagnostics);
  const readText = createReader(args.site);
  // The site as the user typed it, so that terminals and editors find the file.
  const pathOf = (sourcePath: string): string => join(args.site, sourcePath);
  const color = painter(stderr, env);
  const paint = (text: string, severity: Diagnostic["severity"]): string =>
    color(text, severity === "error" ? "red" : "yellow");
  for (const each of shown) stderr.write(`${formatDiagnostic(each, readText, { pathOf, paint })}\n\n`);
  const [first] = shown;
  if (first && shown.length === diagnostics.length)
    stderr.write(`"offprint explain ${first.code}" says more about a code.\n\n`);
  if (shown.length === diagnostics.length) return;
  const visible = Map.groupBy(shown, ({ code }) => code);
  for (const [code, all] of Map.groupBy(diagnostics, (each) => each.code)) {
    const hidden = all.length - (visible.get(code)?.length ?? 0);
    const files = new Set(all.map(({ location }) => location?.sourcePath)).size;
    if (hidden > 0)
      stderr.write(`… and ${counted(hidden)} more ${code} in ${counted(files)} file${files === 1 ? "" : "s"}\n`);
  }
  stderr.write(
    `--all prints each, --report file.json writes them. "offprint explain ${first!.code}" says more about a code.\n\n`,
  );
}

/** The first errors, and the first warnings of each code. */
function firstOfEach(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, number>();
  return diagnostics.filter(({ code, severity }) => {
    const key = severity === "error" ? "error" : code;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count <= (severity === "error" ? errorsShown : warningsShownPerCode);
  });
}

/** A workflow command of GitHub Actions, which marks the line in a pull request. */
function annotation({ severity, code, what, fix, location }: Diagnostic, site: string): string {
  const { sourcePath, line, column, length } = location ?? {};
  const properties = {
    file: sourcePath === undefined ? undefined : pathHere(site, sourcePath),
    line,
    col: column,
    endColumn: column === undefined || length === undefined ? undefined : column + length,
    title: code,
  };
  const list = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeData(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`],
  );
  return `::${severity} ${list.join(",")}::${escapeData(`${what}\nfix: ${fix}`)}`;
}

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const counted = (n: number): string => n.toLocaleString("en-US");
