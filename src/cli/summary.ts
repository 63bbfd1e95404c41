import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { styleText } from "node:util";
import { type Diagnostic, type ExportResult, formatDiagnostic } from "../index.js";
import type { Environment } from "./environment.js";
import type { ExportArguments } from "./export-arguments.js";

const errorsShown = 20;
const warningsShownPerCode = 3;

/** Prints the diagnostics: all of them with --json or `check`, otherwise the first of each kind. */
export function printDiagnostics(result: ExportResult, args: ExportArguments, environment: Environment): void {
  if (args.display === "json") {
    for (const each of result.diagnostics)
      environment.stdout.write(`${JSON.stringify({ type: "diagnostic", ...each })}\n`);
    return;
  }
  if (args.display === "quiet" && result.ok) return;
  const shown = args.command === "check" ? result.diagnostics : selectForReading(result.diagnostics);
  const read = createReader(args.site);
  for (const each of shown) environment.stderr.write(`${formatDiagnostic(each, read)}\n\n`);
  const hidden = result.diagnostics.length - shown.length;
  if (hidden > 0)
    environment.stderr.write(`… and ${hidden} more: "offprint check" prints all, --report file.json writes them.\n\n`);
}

function selectForReading(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, number>();
  return diagnostics.filter(({ code, severity }) => {
    const key = severity === "error" ? "error" : code;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count <= (severity === "error" ? errorsShown : warningsShownPerCode);
  });
}

/** Reads files of the site for code frames, each once. */
export function createReader(site: string): (sourcePath: string) => string | undefined {
  const texts = new Map<string, string | undefined>();
  return (sourcePath) => {
    if (!texts.has(sourcePath)) {
      try {
        texts.set(sourcePath, readFileSync(join(site, sourcePath), "utf8"));
      } catch {
        texts.set(sourcePath, undefined);
      }
    }
    return texts.get(sourcePath);
  };
}

/** Prints the outcome of the run on stdout. */
export function printSummary(
  result: ExportResult,
  args: ExportArguments,
  elapsedMs: number,
  environment: Environment,
): void {
  if (args.display === "json") {
    const { diagnostics: _, manifest, ...rest } = result;
    environment.stdout.write(
      `${JSON.stringify({ type: "result", ...rest, fileCount: manifest?.files.length, elapsedMs })}\n`,
    );
    return;
  }
  if (args.display === "quiet") return;
  const lines = [headline(result, args, elapsedMs), ...tally(result.diagnostics)];
  if (result.external.length > 0)
    lines.push(
      `  ${count(result.external.length, "request")} of the site's own content to other hosts, or scripts (see --report)`,
    );
  const files = result.manifest?.files ?? [];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (result.output)
    lines.push(`  ${count(files.length, "file")}, ${readableBytes(bytes)}: open ${here(result.output)}/index.html`);
  if (result.archive)
    lines.push(
      `  ${here(result.archive.path)}  ${readableBytes(result.archive.bytes)}  sha256 ${result.archive.sha256}`,
    );
  environment.stdout.write(`${lines.join("\n")}\n`);
}

function headline(result: ExportResult, args: ExportArguments, elapsedMs: number): string {
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`;
  if (!result.ok)
    return styleText("red", args.strict ? "Nothing was replaced: the site has errors." : "Nothing could be exported.");
  if (result.unchanged)
    return `${styleText("green", "Nothing has changed")} since the last export of "${result.siteName}" (${count(result.pageCount, "page")}, ${seconds})`;
  const verb = args.command === "check" ? "Checked" : "Exported";
  return `${styleText("green", verb)} ${count(result.pageCount, "page")} of "${result.siteName}" in ${seconds}`;
}

function tally(diagnostics: readonly Diagnostic[]): string[] {
  return (["error", "warning"] as const).flatMap((severity) => {
    const codes = new Map<string, number>();
    for (const each of diagnostics)
      if (each.severity === severity) codes.set(each.code, (codes.get(each.code) ?? 0) + 1);
    if (codes.size === 0) return [];
    const total = [...codes.values()].reduce((sum, n) => sum + n, 0);
    const kinds = [...codes].toSorted((a, b) => b[1] - a[1]).map(([code, n]) => `${code} ${n}`);
    return [`  ${styleText(severity === "error" ? "red" : "yellow", count(total, severity))}: ${kinds.join(", ")}`];
  });
}

const here = (path: string): string => relative(".", path) || ".";
const count = (n: number, noun: string): string => `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;

function readableBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
