// Results as tables for a terminal.
import type { SpecResult } from "./check-spec.ts";

/** One specification: what it cost, and each kind that was compared, with the first misses. */
export function reportOf({
  name,
  dialect,
  operations,
  walked,
  run,
  pages,
  heaviest,
  bytesOfPages,
  counts,
}: SpecResult): string {
  const per = (value: number): string => (operations === 0 ? "–" : (value / operations).toFixed(1));
  const lines = [
    "",
    `${name} (${dialect}): ${operations} operations, ${pages} pages, exit ${run.exitCode}, ${run.seconds.toFixed(1)} s`,
    `  ${per(run.cpuMs)} ms of CPU and ${per(bytesOfPages / 1_000)} kB of pages an operation, peak memory ${Math.round(run.peakBytes / 1e6)} MB, heaviest page ${Math.round(heaviest.bytes / 1_000)} kB and ${heaviest.elements} elements (${heaviest.page})`,
    `  properties of ${walked} operations: ${counts.distances[0]} on the page, ${counts.distances[1]} one step away, ${counts.distances[2]} two, ${counts.distances[3]} further${counts.cutWalks > 0 ? `; ${counts.cutWalks} walks ended early` : ""}`,
  ];
  const codes = Object.entries(run.codes).map(([code, count]) => `${code} ${count}`);
  if (codes.length > 0) lines.push(`  diagnostics: ${codes.join(", ")}`);
  const missed = [...counts.kinds].filter(([, count]) => count.missed > 0);
  const whole = [...counts.kinds].filter(([, count]) => count.missed === 0);
  if (whole.length > 0)
    lines.push(`  complete: ${whole.map(([kind, { checked }]) => `${kind} ${checked}`).join(", ")}`);
  for (const [kind, count] of missed) {
    lines.push(`  MISSED ${kind}: ${count.missed} of ${count.checked}`);
    for (const { place, what, page } of count.examples)
      lines.push(`    ${place}: ${what}${page === undefined ? "" : `  [${page}]`}`);
  }
  return lines.join("\n");
}

/** One line a specification, and the sum of each kind. */
export function summaryOf(results: readonly SpecResult[]): string {
  const kinds = new Map<string, { checked: number; missed: number; specs: number }>();
  const rows = [["specification", "operations", "pages", "ms/op", "MB", "misses"]];
  for (const { name, operations, pages, run, counts } of results) {
    let misses = 0;
    for (const [kind, { checked, missed }] of counts.kinds) {
      const sum = kinds.get(kind) ?? { checked: 0, missed: 0, specs: 0 };
      kinds.set(kind, {
        checked: sum.checked + checked,
        missed: sum.missed + missed,
        specs: sum.specs + (missed > 0 ? 1 : 0),
      });
      misses += missed;
    }
    const cpu = operations === 0 ? "–" : (run.cpuMs / operations).toFixed(1);
    rows.push([name, String(operations), String(pages), cpu, String(Math.round(run.peakBytes / 1e6)), String(misses)]);
  }
  const sums = [["kind", "compared", "missed", "specifications"]];
  for (const [kind, { checked, missed, specs }] of [...kinds].sort(([, a], [, b]) => b.missed - a.missed))
    sums.push([kind, String(checked), String(missed), String(specs)]);
  return `\n${tableOf(rows)}\n\n${tableOf(sums)}`;
}

export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "))
    .join("\n");
}
