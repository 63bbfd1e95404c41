import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OutsideWorld, runExport } from "../../export/index.js";
import { type Diagnostic, locationText } from "../../lib/diagnostic/index.js";
import { type Repair, repairSite } from "../../repair/index.js";
import type { FaultCounts } from "../agent/index.js";
import type { AgentOutcome, AgentTask } from "./agent-messages.js";

const maxProposals = 200;
const maxText = 1000;

/** In the process of an agent job: changes a copy of the site, and writes the changed files into the folder for them. */
export async function runAgentTask(task: AgentTask, outside: Partial<OutsideWorld>): Promise<AgentOutcome> {
  const { splitPages, ...own } = outside;
  const repair = await repairSite({
    folder: task.source,
    check: (options) => runExport({ ...options, output: undefined, archive: undefined }, own),
  });
  mkdirSync(task.changes, { recursive: true });
  const changes = repair.changedFiles.map(({ path, after }, file) => {
    if (after !== undefined) writeFileSync(join(task.changes, String(file)), after);
    return { path, file: after === undefined ? null : file };
  });
  return { kind: "worked", changes, ...reportOf(repair) };
}

function reportOf({ mended, proposed, remaining }: Repair): Omit<AgentOutcome, "kind" | "changes"> {
  const byCode = [...Map.groupBy(mended, ({ code }) => code)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    before: countsOf([...mended, ...remaining]),
    after: countsOf(remaining),
    mended: Object.fromEntries(byCode.map(([code, faults]) => [code, faults.length])),
    proposals: proposed.slice(0, maxProposals).map(({ diagnostic, why }) => {
      const { code, what, location } = diagnostic;
      return { code, at: cut(location ? locationText(location) : ""), what: cut(what), why: cut(why) };
    }),
  };
}

const cut = (text: string): string => text.slice(0, maxText);

function countsOf(diagnostics: readonly Diagnostic[]): FaultCounts {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}
