import { lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runExport } from "../../export/index.js";
import { type Diagnostic, formatDiagnostic, locationText } from "../../lib/diagnostic/index.js";
import { repairSite } from "../../repair/repair-site.js";
import type { Repair } from "../../repair/repair-types.js";
import { copySite } from "../../repair/workspace.js";
import type { FaultCounts, FileChange, ModelWork } from "../agent/index.js";
import type { createCalls } from "./ask-worker.js";
import { findingsOf } from "./findings.js";
import type { AgentOutcome, AgentTask, ExportOutcome, ReviewTask } from "./messages.js";

const maxProposals = 200;
const maxText = 1000;
const maxWords = 4000;

/** In the process of an agent job: changes a copy of the site, and writes the changed files to `task.changes`. */
export async function runAgentTask(task: AgentTask, calls: ReturnType<typeof createCalls>): Promise<ExportOutcome> {
  const { splitPages, ...exportCalls } = calls.outside;
  const check = (options: Parameters<typeof runExport>[0]) =>
    runExport({ ...options, output: undefined, archive: undefined }, exportCalls);
  const { readSiteRule } = await import("../agent/review/site-rule.js");
  const rule = await readSiteRule(task.base);
  if (!task.model) {
    const repair = await repairSite({ folder: task.source, check, refusal: rule.refusal });
    const changes = repair.changedFiles.map(({ path, after }) => ({ by: "repair", path, content: after }) as const);
    return written(task, changes, reportOf(repair));
  }

  const copy = join(dirname(task.changes), "site");
  await copySite(task.source, copy);
  const cacheFolder = join(dirname(task.changes), "checks");
  const { runModel } = await import("../agent/model/run-model.js");
  const faultsOfCopy = async () => (await check({ source: copy, cacheFolder })).diagnostics;
  const faults = await faultsOfCopy();
  const work = await runModel(task.model, {
    site: task.source,
    copy: realpathSync(copy),
    rule,
    faults,
    check: faultsOfCopy,
    repair: (paths) =>
      repairSite({
        ...{ folder: copy, cacheFolder, check },
        refusal: (path) =>
          rule.refusal(path) ?? (paths.includes(path) ? undefined : "The prompt did not change this file."),
      }),
    ask: calls.askModel,
    note: calls.noteTool,
  });
  if (work.changed.length === 0 && work.prevented) return refusal(work.prevented);
  const changed = work.changed.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const changes = [
    ...changed.map(({ path, prompted }) => ({ by: "prompt", path, content: prompted }) as const),
    ...changed
      .filter(({ prompted, repaired }) => repaired && !prompted?.equals(repaired))
      .map(({ path, repaired }) => ({ by: "repair", path, content: repaired }) as const),
  ];
  return written(task, changes, reportOf({ mended: work.mended, proposed: [], remaining: faults }, work));
}

/** Reviews the changes, in a process that has neither run the model nor written anything. */
export async function reviewAgentChanges({ base, source, files }: ReviewTask): Promise<ExportOutcome> {
  const { reviewChanges } = await import("../agent/review/review-changes.js");
  const bytesAt = (file: string | null): Buffer | undefined => (file === null ? undefined : readFileSync(file));
  const plainFile = (path: string): string | null =>
    lstatSync(join(source, path), { throwIfNoEntry: false })?.isFile() ? join(source, path) : null;
  const reviewed = files.map(({ path, file }) => ({
    path,
    before: bytesAt(plainFile(path)),
    after: bytesAt(file),
  }));
  return { kind: "reviewed", ...(await reviewChanges(base, reviewed)) };
}

function written(
  { changes: folder }: AgentTask,
  files: readonly FileChange[],
  report: Omit<AgentOutcome, "kind" | "changes">,
): AgentOutcome {
  mkdirSync(folder, { recursive: true });
  const changes = files.map(({ by, path, content }, file) => {
    if (content !== undefined) writeFileSync(join(folder, String(file)), content);
    return { by, path, file: content === undefined ? null : file };
  });
  return { kind: "worked", changes, ...report };
}

const refusal = (prevented: Diagnostic): ExportOutcome => ({
  kind: "refused",
  faults: cut(`Every change of the model would have caused new faults. The first one: ${formatDiagnostic(prevented)}`),
  findings: findingsOf([], String),
});

function reportOf(
  { mended, proposed, remaining }: Pick<Repair, "mended" | "proposed" | "remaining">,
  { faults, words, ended, undone }: Partial<ModelWork> = {},
): Omit<AgentOutcome, "kind" | "changes"> {
  const byCode = [...Map.groupBy(mended, ({ code }) => code)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    before: countsOf(faults ? remaining : [...mended, ...remaining]),
    after: countsOf(faults ?? remaining),
    mended: Object.fromEntries(byCode.map(([code, faults]) => [code, faults.length])),
    // With a model, the remaining faults were the model's to fix.
    proposals: (faults ? [] : proposed).slice(0, maxProposals).map(({ diagnostic, why }) => {
      const { code, what, location } = diagnostic;
      return { code, at: cut(location ? locationText(location) : ""), what: cut(what), why: cut(why) };
    }),
    ...(words !== undefined && { words: words.slice(0, maxWords) }),
    ...(ended !== undefined && { ended }),
    ...(undone && undone.length > 0 && { undone: undone.map(cut) }),
  };
}

const cut = (text: string): string => text.slice(0, maxText);

function countsOf(diagnostics: readonly Diagnostic[]): FaultCounts {
  const count = (of: Diagnostic["severity"]): number => diagnostics.filter(({ severity }) => severity === of).length;
  return { errors: count("error"), warnings: count("warning") };
}
