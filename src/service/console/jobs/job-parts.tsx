import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { isFinished, type Job } from "../../jobs/index.js";
import { formatDuration } from "../format.js";
import { StatusBadge } from "../parts/index.js";

/** Whether the job ended because somebody cancelled it. */
export const isCancelled = ({ status, error }: Job): boolean =>
  status === "failed" && /^The job was cancelled/.test(error ?? "");

/** The state of a job, which the live script keeps. */
export const JobStatus = ({ job }: { readonly job: Job }): JsxNode =>
  isFinished(job) ? (
    <StatusBadge status={isCancelled(job) ? "cancelled" : job.status} />
  ) : (
    <span data-live="status">
      <StatusBadge status={job.status} />
    </span>
  );

/** A bar with its percentage. */
export const Progress = ({ job, label }: { readonly job: Job; readonly label: string }): JsxNode => (
  <span class="progress">
    <progress max={100} value={job.progress} data-live="progress" aria-label={label} />
    <span class="progress-text" data-live="percent">
      {Math.floor(job.progress)} %
    </span>
  </span>
);

/** From the request to the end, or until now. */
export const durationOf = (job: Job, now: number): string =>
  formatDuration((job.finishedAt?.getTime() ?? now) - job.createdAt.getTime());
