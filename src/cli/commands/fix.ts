import { existsSync } from "node:fs";
import { join } from "node:path";
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from "diff";
import { tuneProcess } from "../../export/index.js";
import { checkSite, type Diagnostic, type Repair, repairSite, type WrittenRepair, writeRepair } from "../../index.js";
import { locationText } from "../../lib/diagnostic/index.js";
import { findCode } from "../codes.js";
import { type Input, stoppableCommand } from "../command.js";
import type { Environment } from "../environment.js";
import { printFailure } from "../print/failure.js";
import { colorizer, count, jsonLines, printable } from "../print/terminal.js";
import type texts from "./texts/fix.json";

export const commands = { fix: stoppableCommand(parse, run) };

/** @throws {UsageError} for a code that does not exist. */
function parse({ argument, values }: Input<typeof texts, "fix">) {
  return {
    site: argument,
    dryRun: values["dry-run"] ?? false,
    codes: values.code?.map((typed) => findCode(typed).code),
    json: values.json ?? false,
  };
}

/** Exit code 1 if something is left to write: with `--dry-run`, or because a file cannot be written. */
async function run(
  { site, codes, dryRun, json }: ReturnType<typeof parse>,
  environment: Environment,
  { signal }: AbortController,
): Promise<number> {
  try {
    tuneProcess();
    let checks = 0;
    const check: typeof checkSite = (options) => {
      if (!json) environment.stderr.write(checks++ === 0 ? "Checking the site\n" : "Checking a repaired copy\n");
      return checkSite(options);
    };
    const repair = await repairSite({ folder: site, codes, signal, check });
    const outcome = dryRun ? undefined : writeRepair(site, repair.changedFiles);
    if (json) printJson(repair, outcome, environment);
    else printText(site, repair, outcome, environment);
    const isUnread = repair.remaining.some(({ code }) => code === "SITE_NOT_FOUND");
    return isUnread || (dryRun ? repair.changedFiles.length > 0 : outcome!.skipped.length > 0) ? 1 : 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    printFailure("interrupted. No file was changed.", 130, json, environment);
    return 130;
  }
}

/** @param outcome undefined if nothing was written */
function printText(
  site: string,
  repair: Repair,
  outcome: WrittenRepair | undefined,
  { stdout, env }: Environment,
): void {
  const color = colorizer(stdout, env);
  const { changedFiles, mended, proposed, remaining, rounds } = repair;
  if (!outcome) for (const { diff } of diffsOf(repair)) stdout.write(stdout.isTTY ? printable(diff) : diff);
  const lines: string[] = [];
  const verb = outcome ? "Repaired" : "Would repair";
  const size = `${count(changedFiles.length, "file")}${rounds > 1 ? `, in ${rounds} rounds` : ""}`;
  if (mended.length === 0) lines.push("Nothing to repair.");
  else lines.push(color(`${verb} ${count(mended.length, "fault")} in ${size}`, "green"), ...countByCode(mended));
  for (const { path, why } of outcome?.skipped ?? [])
    lines.push(color(`Not written: ${printable(path)}. ${why}`, "red"));
  for (const [why, group] of Map.groupBy(proposed, (proposal) => proposal.why)) {
    lines.push(`Proposed, but not written: ${count(group.length, "fault")}. ${why}`);
    for (const { diagnostic } of group) lines.push(printable(`  ${oneLine(diagnostic)}`));
  }
  if (remaining.length > 0)
    lines.push(`Left: ${count(remaining.length, "fault")}; "offprint check" shows them.`, ...countByCode(remaining));
  if (existsSync(join(site, "mint.json")) && !existsSync(join(site, "docs.json")))
    lines.push(
      `The settings stay in mint.json; "offprint init --from ${printable(site)}" converts the site to docs.json.`,
    );
  stdout.write(`${lines.join("\n")}\n`);
}

const diffsOf = ({ changedFiles }: Repair) =>
  changedFiles.map(({ path, before, after }) => ({ path, diff: unifiedDiff(path, textOf(before), textOf(after)) }));

const textOf = (bytes: Uint8Array | undefined): string => (bytes ? Buffer.from(bytes).toString("utf8") : "");

const oneLine = ({ location, code, fix }: Diagnostic): string =>
  [location && locationText(location), `${code}:`, fix.split("\n", 1)[0]].filter(Boolean).join(" ");

/** The most frequent code first. */
function countByCode(faults: readonly Diagnostic[]): string[] {
  const groups = [...Map.groupBy(faults, ({ code }) => code)].map(([code, { length }]) => ({ code, length }));
  groups.sort((a, b) => b.length - a.length || (a.code < b.code ? -1 : 1));
  return groups.map(({ code, length }) => `  ${code} ${length}`);
}

function printJson(repair: Repair, outcome: WrittenRepair | undefined, { stdout }: Environment): void {
  const { mended, proposed, remaining, rounds } = repair;
  stdout.write(
    jsonLines([
      ...mended.map((diagnostic) => ({ type: "mended", ...diagnostic })),
      ...proposed.map(({ diagnostic, why }) => ({ type: "proposed", why, ...diagnostic })),
      ...remaining.map((diagnostic) => ({ type: "diagnostic", ...diagnostic })),
      {
        type: "result",
        rounds,
        changes: diffsOf(repair),
        written: outcome?.written ?? [],
        skipped: outcome?.skipped ?? [],
      },
    ]),
  );
}

/** Removed and added lines. The time grows with the square: for so many it is 0.4 s. */
const maxEdits = 2_000;

/** The changes of a text file as `git apply` and `patch -p1` read them. If they are very many, every line is replaced. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const compare = (from: string, to: string, limit = Number.POSITIVE_INFINITY): StructuredPatch | undefined =>
    structuredPatch(`a/${path}`, `b/${path}`, from, to, undefined, undefined, { context: 3, maxEditLength: limit });
  const patch = compare(before, after, maxEdits) ?? replacement(compare(before, "")!, compare("", after)!);
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

function replacement(removal: StructuredPatch, addition: StructuredPatch): StructuredPatch {
  const [removed, added] = [removal.hunks[0]!, addition.hunks[0]!];
  const { newStart, newLines } = added;
  return { ...removal, hunks: [{ ...removed, newStart, newLines, lines: [...removed.lines, ...added.lines] }] };
}
