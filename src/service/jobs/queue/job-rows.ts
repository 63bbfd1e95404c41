import { randomBytes } from "node:crypto";
import type { Row } from "../database/database.js";
import type { QueuedJob } from "../database/store-deps.js";
import type { Job } from "./job.js";

/** A prefix and 32 random hexadecimal digits. */
export const newId = (prefix: "se" | "ar" | "aj" | "ers" | "evt" | "org" | "prj" | "key" | "per" | "inv"): string =>
  `${prefix}_${randomBytes(16).toString("hex")}`;

/** An export or a run of an agent job. Other texts never reach the database. */
export const isJobId = (text: string): boolean => /^(se|ar)_[0-9a-f]{32}$/.test(text);

/** What a row of `jobs` is called in messages. */
export const workOf = ({ agent_job_id: agentJobId }: Row): string => (agentJobId === null ? "export" : "agent job");

/** What helps if the work of a row of `jobs` is too much. */
export const adviceOf = ({ agent_job_id: agentJobId }: Row): string =>
  agentJobId === null ? " Export fewer pages at a time with `paths`." : "";

/** The queue's key of a row of `jobs`. */
export const queuedJobOf = (row: Row): QueuedJob => ({
  jobId: row["job_id"] as string,
  position: row["position"] as number,
});

/** Converts a row of `jobs`. */
export function jobOf(row: Row): Job {
  const text = (column: string): string => row[column] as string;
  const optional = (column: string): string | undefined => (row[column] as string | null) ?? undefined;
  const count = (column: string): number => row[column] as number;
  return {
    jobId: text("job_id"),
    organizationId: text("organization_id"),
    projectId: text("project_id"),
    domain: text("domain"),
    agentJobId: optional("agent_job_id"),
    version: optional("version"),
    paths: row["paths"] === null ? undefined : (JSON.parse(text("paths")) as string[]),
    audience: row["audience"] === null ? undefined : (JSON.parse(text("audience")) as string[]),
    webhookUrl: optional("webhook_url"),
    requestedBy: optional("requested_by"),
    status: text("status") as Job["status"],
    progress: count("progress"),
    pageCount: count("page_count"),
    attempt: count("attempt"),
    createdAt: new Date(count("created_at")),
    updatedAt: new Date(count("updated_at")),
    finishedAt: row["finished_at"] === null ? undefined : new Date(count("finished_at")),
    error: optional("error"),
    bundle:
      row["object_key"] === null
        ? undefined
        : { objectKey: text("object_key"), bytes: count("bundle_bytes"), sha256: text("bundle_sha256") },
    report:
      row["errors"] === null
        ? undefined
        : { errors: count("errors"), warnings: count("warnings"), diagnosticsKey: optional("diagnostics_key") },
  };
}
