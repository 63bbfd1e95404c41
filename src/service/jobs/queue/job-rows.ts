import { type Row, type Sql, sql, type Transaction } from "../database/database.js";
import { cursorOf, pageOf, positionOf, recordReader, storable } from "../database/rows.js";
import type { QueuedJob, StoreDeps } from "../database/store-deps.js";
import type { AgentEvents } from "./agent-job.js";
import type { Job, JobLog, JobReport, LogLine, LogPage } from "./job.js";

/** Whether the text is the id of an export or of a run of an agent job. Other texts never reach the database. */
export const isJobId = (text: string): boolean => /^(se|ar)_[0-9a-f]{32}$/.test(text);

/** What a row of `jobs` is called in messages. */
export const workOf = ({ agent_job_id: agentJobId }: Row): string => (agentJobId === null ? "export" : "agent job");

/** Advice for a job that takes too long or too much memory: a space and a sentence, or an empty text. */
export const adviceOf = ({ agent_job_id: agentJobId }: Row): string =>
  agentJobId === null ? " Export fewer pages at a time with `paths`." : "";

export const queuedJobOf = recordReader<QueuedJob>(["jobId", "position"]);

const jobFieldsOf = recordReader<Omit<Job, "bundle" | "report">>(
  [
    ...([
      "jobId",
      "organizationId",
      "projectId",
      "domain",
      "agentJobId",
      "version",
      "webhookUrl",
      "requestedBy",
    ] as const),
    ...(["status", "progress", "pageCount", "attempt", "createdAt", "updatedAt", "finishedAt", "error"] as const),
  ],
  ["paths", "audience"],
);

const reportOf = recordReader<JobReport>(["errors", "warnings", "diagnosticsKey"]);

export const jobOf = (row: Row): Job => ({
  ...jobFieldsOf(row),
  ...(row["object_key"] !== null && {
    bundle: {
      objectKey: row["object_key"] as string,
      bytes: row["bundle_bytes"] as number,
      sha256: row["bundle_sha256"] as string,
    },
  }),
  ...(row["errors"] !== null && { report: reportOf(row) }),
});

/** Further lines of a job are dropped, and longer messages cut. */
const maxLines = 500;
const maxMessageLength = 2000;

export async function addLogLine(
  { now }: StoreDeps,
  { query }: Transaction,
  jobId: string,
  level: LogLine["level"],
  message: string,
): Promise<void> {
  const text = storable(message.length > maxMessageLength ? `${message.slice(0, maxMessageLength - 1)}…` : message);
  await query`insert into job_logs (job_id, logged_at, level, message)
    select job_id, cast(${now()} as bigint), cast(${level} as text), cast(${text} as text) from jobs
    where job_id = ${jobId} and (select count(*) from job_logs where job_logs.job_id = ${jobId}) < ${maxLines}`;
}

/** A page of the lines of the jobs for which `condition` is true, oldest first. */
async function readLog({ database }: StoreDeps, condition: Sql, { limit, cursor }: LogPage) {
  const rows = await database.read`select job_logs.* from job_logs join jobs on jobs.job_id = job_logs.job_id
    where ${condition} and line_id > ${cursor === undefined ? 0 : positionOf(cursor)}
    order by line_id limit ${limit + 1}`;
  return pageOf(rows, limit, "line_id");
}

export async function listLog(deps: StoreDeps, jobId: string, page: LogPage): Promise<JobLog> {
  const { shown, next } = await readLog(deps, sql`jobs.job_id = ${jobId}`, page);
  return { lines: shown.map(lineOf), next };
}

export async function agentEvents(deps: StoreDeps, agentJobId: string, page: LogPage): Promise<AgentEvents> {
  const { shown, next } = await readLog(deps, sql`agent_job_id = ${agentJobId}`, page);
  const cursor = (row: Row): string => cursorOf(row["line_id"] as number);
  return {
    events: shown.map((row) => ({ ...lineOf(row), runId: row["job_id"] as string, cursor: cursor(row) })),
    next,
  };
}

const lineOf = (row: Row): LogLine => ({
  time: new Date(row["logged_at"] as number),
  level: row["level"] as LogLine["level"],
  message: row["message"] as string,
});
