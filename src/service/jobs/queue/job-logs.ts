import type { Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import type { AgentEvents, AgentStore } from "./agent-store.js";
import type { LogLine } from "./job.js";
import { cursorOf, positionOf } from "./job.js";
import type { JobLog, JobStore } from "./job-store.js";

/** Later lines of a job are dropped, and longer messages cut. */
const maxLines = 500;
const maxLength = 2000;

export async function addLogLine(
  deps: StoreDeps,
  transaction: Transaction,
  jobId: string,
  level: LogLine["level"],
  message: string,
): Promise<void> {
  const text = message.length > maxLength ? `${message.slice(0, maxLength - 1)}…` : message;
  await transaction.query(
    `insert into job_logs (job_id, logged_at, level, message)
     select job_id, cast($2 as bigint), cast($3 as text), cast($4 as text) from jobs
     where job_id = $1 and (select count(*) from job_logs where job_logs.job_id = $1) < ${maxLines}`,
    [jobId, deps.now(), level, text.toWellFormed().replaceAll("\0", "�")],
  );
}

/** Oldest first. */
export async function listLog(
  deps: StoreDeps,
  jobId: string,
  { limit, cursor }: Parameters<JobStore["log"]>[1],
): Promise<JobLog> {
  const rows = await deps.database.read(
    "select * from job_logs where job_id = $1 and line_id > $2 order by line_id limit $3",
    [jobId, cursor === undefined ? 0 : positionOf(cursor), limit + 1],
  );
  const shown = rows.slice(0, limit);
  return {
    lines: shown.map(lineOf),
    next: rows.length > limit ? cursorOf(shown.at(-1)!["line_id"] as number) : undefined,
  };
}

/** The lines of all runs of an agent job, oldest first. */
export async function agentEvents(
  deps: StoreDeps,
  agentJobId: string,
  { limit, cursor }: Parameters<AgentStore["events"]>[1],
): Promise<AgentEvents> {
  const rows = await deps.database.read(
    `select job_logs.* from job_logs join jobs on jobs.job_id = job_logs.job_id
     where agent_job_id = $1 and line_id > $2 order by line_id limit $3`,
    [agentJobId, cursor === undefined ? 0 : positionOf(cursor), limit + 1],
  );
  const events = rows.slice(0, limit).map((row) => ({
    ...lineOf(row),
    runId: row["job_id"] as string,
    cursor: cursorOf(row["line_id"] as number),
  }));
  return { events, ...(rows.length > limit && { next: events.at(-1)!.cursor }) };
}

const lineOf = (row: Row): LogLine => ({
  time: new Date(row["logged_at"] as number),
  level: row["level"] as LogLine["level"],
  message: row["message"] as string,
});
