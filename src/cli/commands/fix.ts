import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, type Repair, repairSite, type WrittenRepair, writeRepair } from "../../index.js";
import { locationText } from "../../lib/diagnostic/index.js";
import type { Environment } from "../environment.js";
import { stopOnSignal } from "../environment.js";
import { printFailure } from "../print/failure.js";
import { painter } from "../print/terminal.js";
import { unifiedDiff } from "../print/unified-diff.js";
import type { FixArguments } from "./fix-options.js";

/** `offprint fix`: exit code 1 if something is left to write: with `--dry-run`, or because a file cannot be written. */
export async function run(args: FixArguments, environment: Environment): Promise<number> {
  const { site, codes, dryRun, json } = args;
  const { controller, release } = stopOnSignal(environment);
  try {
    const repair = await repairSite({
      folder: site,
      codes: codes.length > 0 ? codes : undefined,
      signal: controller.signal,
    });
    const outcome = dryRun ? undefined : writeRepair(site, repair.changedFiles);
    if (json) printJson(repair, outcome, environment);
    else printText(site, repair, outcome, environment);
    const isUnread = repair.remaining.some(({ code }) => code === "SITE_NOT_FOUND");
    return isUnread || (dryRun ? repair.changedFiles.length > 0 : outcome!.skipped.length > 0) ? 1 : 0;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    printFailure("interrupted. No file was changed.", 130, json, environment);
    return 130;
  } finally {
    release();
  }
}

const textOf = (bytes: Uint8Array | undefined): string => (bytes ? Buffer.from(bytes).toString("utf8") : "");

/** @param outcome undefined: nothing was written */
function printText(
  site: string,
  repair: Repair,
  outcome: WrittenRepair | undefined,
  { stdout, env }: Environment,
): void {
  const paint = painter(stdout, env);
  const { changedFiles, mended, proposed, remaining, rounds } = repair;
  if (!outcome)
    for (const { path, before, after } of changedFiles) {
      const diff = unifiedDiff(path, textOf(before), textOf(after));
      stdout.write(stdout.isTTY ? harmless(diff) : diff);
    }
  const lines: string[] = [];
  const verb = outcome ? "Mended" : "Would mend";
  const size = `${count(changedFiles.length, "file")}${rounds > 1 ? `, in ${rounds} rounds` : ""}`;
  if (mended.length === 0) lines.push("Nothing to mend with certainty.");
  else lines.push(paint(`${verb} ${count(mended.length, "fault")} in ${size}`, "green"), ...byCode(mended));
  for (const { path, why } of outcome?.skipped ?? [])
    lines.push(paint(`Not written: ${harmless(path)}. ${why}`, "red"));
  for (const [why, group] of Map.groupBy(proposed, (each) => each.why)) {
    lines.push(`Only proposed: ${count(group.length, "fault")}. ${why}`);
    for (const { diagnostic } of group) lines.push(harmless(`  ${oneLine(diagnostic)}`));
  }
  if (remaining.length > 0)
    lines.push(`Left: ${count(remaining.length, "fault")}; "offprint check" shows them.`, ...byCode(remaining));
  if (existsSync(join(site, "mint.json")) && !existsSync(join(site, "docs.json")))
    lines.push(
      `The settings stay in mint.json; "offprint init --from ${harmless(site)}" makes a site with docs.json of it.`,
    );
  stdout.write(`${lines.join("\n")}\n`);
}

const oneLine = ({ location, code, fix }: Diagnostic): string =>
  [location && locationText(location), `${code}:`, fix.split("\n", 1)[0]].filter(Boolean).join(" ");

/** Text of the site without what would control the terminal. */
const harmless = (text: string): string => text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "�");

function byCode(faults: readonly Diagnostic[]): string[] {
  const groups = [...Map.groupBy(faults, ({ code }) => code)].map(([code, { length }]) => ({ code, length }));
  groups.sort((a, b) => b.length - a.length || (a.code < b.code ? -1 : 1));
  return groups.map(({ code, length }) => `  ${code} ${length}`);
}

function printJson(repair: Repair, outcome: WrittenRepair | undefined, { stdout }: Environment): void {
  const print = (line: object): void => void stdout.write(`${JSON.stringify(line)}\n`);
  for (const diagnostic of repair.mended) print({ type: "mended", ...diagnostic });
  for (const { diagnostic, why } of repair.proposed) print({ type: "proposed", why, ...diagnostic });
  for (const diagnostic of repair.remaining) print({ type: "diagnostic", ...diagnostic });
  const changes = repair.changedFiles.map(({ path, before, after }) => ({
    path,
    diff: unifiedDiff(path, textOf(before), textOf(after)),
  }));
  print({
    type: "result",
    rounds: repair.rounds,
    changes,
    written: outcome?.written ?? [],
    skipped: outcome?.skipped ?? [],
  });
}

const count = (n: number, noun: string): string => `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
