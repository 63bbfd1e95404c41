import { relative } from "node:path";
import { styleText } from "node:util";
import type { Diagnostic, ExportResult, ShardResult } from "../../index.js";
import { isMendable } from "../../lib/diagnostic/index.js";
import type { ExportArguments } from "../commands/export-options.js";
import type { Environment } from "../environment.js";
import { printDiagnostics } from "./diagnostics.js";

/** Prints the outcome of the run on stdout; on stderr if stdout has a document. */
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
  const lines = [headline(result, args, elapsedMs), ...tally(result.diagnostics), ...advice(result.diagnostics)];
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
  if (args.verbose) lines.push(...stages(result));
  const out = args.format === "sarif" ? environment.stderr : environment.stdout;
  out.write(`${lines.join("\n")}\n`);
}

/** How long each stage took, the longest first. Stages of pages are added up over all threads. */
function stages({ timings }: ExportResult): string[] {
  const sorted = Object.entries(timings).toSorted((a, b) => b[1] - a[1]);
  const width = Math.max(...sorted.map(([stage]) => stage.length));
  return sorted.map(
    ([stage, ms]) => `  ${stage.padEnd(width)}  ${Math.round(ms).toLocaleString("en-US").padStart(8)} ms`,
  );
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

/** How many of the faults a repair takes away. */
function advice(diagnostics: readonly Diagnostic[]): string[] {
  const mendable = diagnostics.filter(isMendable).length;
  return mendable === 0 ? [] : [`  "offprint fix" mends ${mendable.toLocaleString("en-US")} of these`];
}

const here = (path: string): string => relative(".", path) || ".";
const count = (n: number, noun: string): string => `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;

function readableBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Prints what `offprint export --shard` has done. The mistakes of its pages are reported by the export of the site. */
export function printShard(
  result: ShardResult,
  args: ExportArguments,
  elapsedMs: number,
  environment: Environment,
): void {
  const { stdout } = environment;
  printDiagnostics(result, args, environment);
  if (args.display === "json") {
    const { diagnostics: _, ...rest } = result;
    stdout.write(`${JSON.stringify({ type: "result", shard: args.shard, ...rest, elapsedMs })}\n`);
    return;
  }
  if (args.display === "quiet") return;
  const out = args.format === "sarif" ? environment.stderr : stdout;
  const { shardPages, pageCount, made, siteName } = result;
  const [n, all, now] = [shardPages, pageCount, made].map((count) => count.toLocaleString("en-US"));
  const { index, count } = args.shard!;
  out.write(
    result.ok
      ? `${styleText("green", `Shard ${index} of ${count}`)} of "${siteName}": ${n} of ${all} pages, ${now} made now, in ${(elapsedMs / 1000).toFixed(1)} s\n`
      : `${styleText("red", "Nothing could be made.")}\n`,
  );
}
