import { lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runExport } from "../../export/index.js";
import { type Diagnostic, formatDiagnostic, locationText } from "../../lib/diagnostic/index.js";
import { type ChangedFile, copySite, type Repair, repairSite } from "../../repair/index.js";
import type { FaultCounts, ModelWork } from "../agent/index.js";
import type { AgentOutcome, AgentTask } from "./agent-messages.js";
import type { createCalls } from "./ask-worker.js";
import { findingsOf } from "./findings.js";
import type { ExportOutcome } from "./messages.js";

const maxProposals = 200;
const maxText = 1000;
const maxWords = 4000;

/** In the process of an agent job: changes a copy of the site, and writes the changed files into the folder for them. */
export async function runAgentTask(task: AgentTask, calls: ReturnType<typeof createCalls>): Promise<ExportOutcome> {
  const { splitPages, ...own } = calls.outside;
  const check = (options: Parameters<typeof runExport>[0]) =>
    runExport({ ...options, output: undefined, archive: undefined }, own);
  const repair = await repairSite({ folder: task.source, check });
  if (!task.model) return written(task, repair.changedFiles, reportOf(repair));

  const copy = join(dirname(task.changes), "site");
  await copySite(task.source, copy);
  for (const { path, after } of repair.changedFiles) if (after) writeFileSync(join(copy, path), after);
  const cacheFolder = join(dirname(task.changes), "checks");
  const { runModel } = await import("../agent/model/run-model.js");
  const work = await runModel(task.model, {
    site: task.source,
    copy: realpathSync(copy),
    faults: repair.remaining,
    check: async () => (await check({ source: copy, cacheFolder })).diagnostics,
    repair: () => repairSite({ folder: copy, cacheFolder, check }),
    ask: calls.askModel,
    note: calls.noteTool,
  });
  if (work.changed.length === 0 && work.prevented) return refusal(work.prevented);
  const paths = new Set([...repair.changedFiles.map(({ path }) => path), ...work.changed]);
  const changes = [...paths].sort().map((path) => ({ path, after: bytesAt(join(copy, path)) }));
  return written(task, changes, reportOf(repair, work));
}

function written(
  { changes: folder }: AgentTask,
  files: readonly Pick<ChangedFile, "path" | "after">[],
  report: Omit<AgentOutcome, "kind" | "changes">,
): AgentOutcome {
  mkdirSync(folder, { recursive: true });
  const changes = files.map(({ path, after }, file) => {
    if (after !== undefined) writeFileSync(join(folder, String(file)), after);
    return { path, file: after === undefined ? null : file };
  });
  return { kind: "worked", changes, ...report };
}

const bytesAt = (file: string): Buffer | undefined =>
  lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined;

const refusal = (prevented: Diagnostic): ExportOutcome => ({
  kind: "refused",
  faults: cut(`All changes of the model would have brought new faults. The first one: ${formatDiagnostic(prevented)}`),
  findings: findingsOf([], String),
});

function reportOf(
  { mended, proposed, remaining }: Repair,
  { faults, words, ended, undone }: Partial<ModelWork> = {},
): Omit<AgentOutcome, "kind" | "changes"> {
  const byCode = [...Map.groupBy(mended, ({ code }) => code)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    before: countsOf([...mended, ...remaining]),
    after: countsOf(faults ?? remaining),
    mended: Object.fromEntries(byCode.map(([code, faults]) => [code, faults.length])),
    // With a model, what is left has been its business.
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
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}
