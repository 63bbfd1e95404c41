// A process that exports one site for a worker. It has no secrets, and the worker publishes the bundle.

import { hash } from "node:crypto";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOfMachine, openSourceFolder, runExport, runShard, tuneProcess } from "../../export/index.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { buildId } from "../../lib/package-root.js";
import { fileHash } from "../../lib/short-hash.js";
import { systemErrorCode } from "../../lib/system-error.js";
import { createCalls } from "./ask-worker.js";
import { findingsOf, siteFaults } from "./findings.js";
import type { ExportOutcome, ExportStep, ExportTask, FromChild, ToChild } from "./messages.js";

/** Interval of progress messages. */
const stepMs = 100;
const memoryCheckMs = 50;

const send = (message: FromChild): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

// The worker has died: the result is not needed.
process.on("disconnect", () => process.exit());
const calls = createCalls(send);
process.on("message", (message: ToChild) => {
  if (message.type === "answer") return calls.onAnswer(message.id, message.answer);
  void outcomeOf(message)
    .then((outcome) => send({ type: "ended", outcome }))
    .then(() => process.exit());
});
const tuned = tuneProcess();
void send({ type: "ready" });

/** The outcome of the task. Every failure is one, too. */
async function outcomeOf(message: Exclude<ToChild, { type: "answer" }>): Promise<ExportOutcome> {
  endAbove(message.task.maxMemoryMb * 2 ** 20);
  try {
    if (message.type === "export") return await run(message.task);
    const { reviewAgentChanges, runAgentTask } = await import("./agent-task.js");
    return message.type === "agent" ? await runAgentTask(message.task, calls) : await reviewAgentChanges(message.task);
  } catch (error) {
    const { message: text, stack } = error as Error;
    return { kind: "broken", code: systemErrorCode(error), message: String(text ?? error), stack: stack ?? "" };
  }
}

async function run(task: ExportTask): Promise<ExportOutcome> {
  let sentAt = 0;
  const onProgress = ({ progress, pageCount }: ExportStep): void => {
    if (performance.now() - sentAt < stepMs) return;
    sentAt = performance.now();
    void send({ type: "progress", progress, pageCount });
  };
  // Do not reveal paths of this machine.
  const hide = (text: string): string => text.replaceAll(task.source, "(the site's folder)");
  const { shard, splits, ...options } = { ...task, onProgress };
  if (shard) {
    const { ok, pageMs, diagnostics } = await runShard({ ...options, shard }, calls.outside, calls.nextPart);
    if (ok) return { kind: "filled", pageMs };
    return { kind: "refused", faults: "", findings: findingsOf(diagnostics, hide) };
  }
  const last = openLastArchive(task);
  const earlier = last?.find();
  if (earlier) return earlier;
  const { splitPages, ...outside } = calls.outside;
  const result = await runExport(options, { ...tuned, ...(splits ? calls.outside : outside) });
  const faults = siteFaults(result);
  const findings = findingsOf(result.diagnostics, hide);
  if (faults !== undefined) return { kind: "refused", faults: hide(faults), findings };
  const { pageCount, pagesMade, pageMs } = result;
  const { bytes, sha256 } = result.archive!;
  const outcome = { kind: "exported", bytes, sha256, pageCount, pagesMade, pageMs, findings } as const;
  if (!calls.hasFetched() && !result.diagnostics.some(isOfMachine)) last?.keep(outcome);
  return outcome;
}

/** A native parser allocates outside of the heap, which has its own limit. */
function endAbove(bytes: number): void {
  const check = (): void => {
    // The current size would need /proc, which a namespace hides.
    if (process.resourceUsage().maxRSS * 1024 <= bytes) return;
    const outcome = { kind: "broken", code: "ENOMEM", message: "", stack: "" } as const;
    void send({ type: "ended", outcome }).then(() => process.exit());
  };
  check();
  setInterval(check, memoryCheckMs).unref();
}

type Exported = Extract<ExportOutcome, { kind: "exported" }>;

/** What an export leaves in the cache of its site, beside a copy of its archive. */
interface Last {
  /** Hash of the site's files, the settings and this program. */
  readonly inputs: string;
  readonly outcome: Exported;
}

/** Options that do not change the archive. Every other one counts, also a new one. */
const withoutEffect = new Set<string>([
  "source",
  "archive",
  "cacheFolder",
  "cacheName",
  "maxMemoryMb",
  "concurrency",
  "splits",
] satisfies readonly (keyof ExportTask)[]);

/** The archive of a site's last export, reused if no content has changed. Undefined for some of the pages. */
function openLastArchive(task: ExportTask) {
  if (task.paths !== undefined) return undefined;
  const source = openSourceFolder(task.source);
  source.noteStates();
  const contents: string[] = [];
  for (const path of source.paths) {
    const content = fileHash(join(source.root, path));
    // The export says what is wrong with a file that cannot be read.
    if (content === undefined) return undefined;
    contents.push(path, content.toString("hex"));
  }
  const options = Object.entries(task).filter(([name]) => !withoutEffect.has(name));
  const ingredients = [buildId(), process.versions.node, options, source.diagnostics, contents];
  const inputs = hash("sha256", JSON.stringify(ingredients), "hex");
  const folder = join(task.cacheFolder, "last");
  const [record, archive] = [join(folder, "record"), join(folder, "bundle.tar.gz")];

  return {
    /** Writes the archive again. Undefined if something has changed, or the copy is damaged. */
    find(): Exported | undefined {
      const bytes = readChecked(record);
      if (bytes === undefined) return undefined;
      const last = JSON.parse(bytes.toString()) as Last;
      if (last.inputs !== inputs) return undefined;
      try {
        copyFileSync(archive, task.archive);
        if (fileHash(task.archive)?.toString("hex") === last.outcome.sha256)
          return { ...last.outcome, pagesMade: 0, pageMs: [] };
      } catch {
        // A cache may be lost at any time.
      }
      rmSync(task.archive, { force: true });
      return undefined;
    },
    /** Keeps a copy, unless files of the site have changed meanwhile. */
    keep(outcome: Exported): void {
      try {
        source.requireUnchanged(source.paths);
        mkdirSync(folder, { recursive: true });
        rmSync(record, { force: true });
        copyFileSync(task.archive, archive);
        writeChecked(record, Buffer.from(JSON.stringify({ inputs, outcome } satisfies Last)));
      } catch {
        // The next export makes its own.
      }
    },
  };
}
