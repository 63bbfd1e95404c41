import type { Log } from "../../lib/log.js";
import type { JobReport, JobStore, Lease, LogLine } from "../jobs/index.js";
import { diagnosticsKey, type ObjectStore } from "../store/index.js";
import { countOf, type Findings, findingsLines } from "./findings.js";

export type JobRecord = ReturnType<typeof keepRecord>;

/** Records for the job's clients what happens to it. A failure to do so is logged and does not fail the job. */
export function keepRecord(
  { job: { jobId }, fence }: Lease,
  { jobs, objects }: { readonly jobs: JobStore; readonly objects: ObjectStore },
  log: Log,
) {
  return {
    /** @param message without secrets and paths of this machine. */
    async add(level: LogLine["level"], message: string): Promise<void> {
      await jobs
        .addLog(jobId, level, message)
        .catch((error: unknown) => log("warn", "a line of a job's log was lost", { jobId, error: String(error) }));
    },
    /** Stores the diagnostics. */
    async report(findings: Findings): Promise<JobReport> {
      const counts = { errors: countOf(findings.errors) ?? 0, warnings: countOf(findings.warnings) ?? 0 };
      const lines = findingsLines(findings);
      if (lines.length === 0) return counts;
      const key = diagnosticsKey(jobId, fence);
      try {
        await objects.putBytes(key, lines, "application/jsonl");
        return { ...counts, diagnosticsKey: key };
      } catch (error) {
        log("warn", "the diagnostics of a job were lost", { jobId, error: String(error) });
        await this.add("warning", "The diagnostics could not be stored.");
        return counts;
      }
    },
  };
}
