// A process that exports one site for a worker and ends. It has no secrets, and publishes nothing itself.
import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { exportSite, tuneProcess } from "../../export/index.js";
import { systemErrorCode } from "../../lib/system-error.js";
import type { ExportOutcome, ExportTask, FromChild, ToChild } from "./messages.js";
import { siteFaults } from "./site-faults.js";

/** Between two messages on how far it is. */
const stepMs = 100;

const send = (message: FromChild): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

// Whoever started it has died, so that nobody wants the result.
process.on("disconnect", () => process.exit());
process.on("message", ({ task }: ToChild) => {
  void run(task)
    .then((outcome) => send({ type: "ended", outcome }))
    .then(() => process.exit());
});
yieldToOthers();
tuneProcess();
void send({ type: "ready" });

async function run(task: ExportTask): Promise<ExportOutcome> {
  let shownAt = 0;
  try {
    const result = await exportSite({
      ...task,
      onProgress: ({ progress, pageCount }) => {
        if (performance.now() - shownAt < stepMs) return;
        shownAt = performance.now();
        void send({ type: "progress", progress, pageCount });
      },
    });
    const faults = siteFaults(result);
    // Where the site lies on this machine is nobody's business.
    if (faults !== undefined) return { kind: "refused", faults: faults.replaceAll(task.source, "(the site's folder)") };
    const { bytes, sha256 } = result.archive!;
    return { kind: "exported", bytes, sha256, pageCount: result.pageCount };
  } catch (error) {
    const { message, stack } = error as Error;
    return { kind: "broken", code: systemErrorCode(error), message: String(message ?? error), stack: stack ?? "" };
  }
}

/**
 * The worker's heartbeats and the API come first where processor or memory are short: threads begun from here inherit
 * the priority, and where memory ends this process goes, not the one that can tell of it.
 */
function yieldToOthers(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    writeFileSync("/proc/self/oom_score_adj", "500");
  } catch {
    // Not on this system.
  }
}
