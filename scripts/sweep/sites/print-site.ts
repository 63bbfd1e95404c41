// Results as tables for a terminal.
import { tableOf } from "../specs/print-result.ts";
import { notes } from "./check-in-browser.ts";
import type { SiteResult } from "./check-site.ts";

/** One site: what it cost, and each kind that was compared, with the first misses. */
export function reportOf({ name, pages, opened, run, counts }: SiteResult): string {
  const cost = run === undefined ? "" : `, exit ${run.exitCode}, ${run.seconds.toFixed(1)} s`;
  const lines = ["", `${name}: ${pages} pages, ${opened.length} opened${cost}`];
  const codes = Object.entries(run?.codes ?? {}).map(([code, count]) => `${code} ${count}`);
  if (codes.length > 0) lines.push(`  diagnostics: ${codes.join(", ")}`);
  const kinds = [...counts.kinds];
  const whole = kinds.filter(([, { missed }]) => missed === 0);
  if (whole.length > 0)
    lines.push(`  complete: ${whole.map(([kind, { checked }]) => `${kind} ${checked}`).join(", ")}`);
  for (const [kind, { checked, missed, examples }] of kinds) {
    if (missed === 0) continue;
    lines.push(`  ${notes.has(kind) ? "noted" : "MISSED"} ${kind}: ${missed} of ${checked}`);
    for (const { place, what, page } of examples)
      lines.push(`    ${place}: ${what}${page === undefined ? "" : `  [${page}]`}`);
  }
  return lines.join("\n");
}

/** The kinds that a folder of sites should contain: a kind that none of them has was not tested at all. */
const expectedKinds = [
  ...["title", "description", "label", "words", "order of the words", "code", "diagram", "placeholder word"],
  ...["banner", "header", "button", "navigation", "table of contents", "card", "code", "content", "footer"].map(
    (region) => `contrast in ${region}`,
  ),
  ...["layout shift", "axe", "error in the console", "empty box", "broken picture", "icon that cannot load"],
  ...["icon without a drawing", "page wider than the window", "table column out of view", "control without a name"],
];

const missesOf = ({ counts }: SiteResult): number =>
  [...counts.kinds].reduce((sum, [kind, { missed }]) => sum + (notes.has(kind) ? 0 : missed), 0);

export const hasMisses = (result: SiteResult): boolean => missesOf(result) > 0;

/** One line a site, and the sum of each kind. */
export function summaryOf(results: readonly SiteResult[]): string {
  const sites = [["site", "pages", "opened", "seconds", "misses"]];
  const sums = new Map<string, { checked: number; missed: number; sites: number }>();
  for (const result of results) {
    const { name, pages, opened, run, counts } = result;
    sites.push([name, String(pages), String(opened.length), run?.seconds.toFixed(1) ?? "–", String(missesOf(result))]);
    for (const [kind, { checked, missed }] of counts.kinds) {
      const sum = sums.get(kind) ?? { checked: 0, missed: 0, sites: 0 };
      sums.set(kind, {
        checked: sum.checked + checked,
        missed: sum.missed + missed,
        sites: sum.sites + (missed > 0 ? 1 : 0),
      });
    }
  }
  const kinds = [["kind", "compared", "missed", "sites"]];
  for (const [kind, { checked, missed, sites: count }] of [...sums].sort(([, a], [, b]) => b.missed - a.missed))
    kinds.push([notes.has(kind) ? `(${kind})` : kind, String(checked), String(missed), String(count)]);
  const absent = expectedKinds.filter((kind) => !sums.has(kind));
  const note = absent.length === 0 ? "" : `\n\nCompared on no page: ${absent.join(", ")}`;
  return `\n${tableOf(sites)}\n\n${tableOf(kinds)}${note}`;
}
