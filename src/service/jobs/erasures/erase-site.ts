import type { Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { endJob } from "../queue/end-job.js";
import { forgetViews } from "../views/close-days.js";
import type { ErasureWork } from "./erasure-store.js";

export type Counts = Record<string, number>;

/** What is to be removed outside the database. */
export interface Outside {
  readonly projects: ErasureWork["projects"][number][];
  readonly jobIds: string[];
  readonly objectKeys: string[];
  readonly repositories: ErasureWork["repositories"][number][];
}

/**
 * Ends the jobs of a site, and deletes everything of it but its row, which signs the webhooks of the ended jobs. Their
 * rows are deleted once the webhooks are sent.
 */
export async function eraseSite(
  deps: StoreDeps,
  transaction: Transaction,
  project: Row,
  counts: Counts,
  outside: Outside,
): Promise<void> {
  const projectId = project["project_id"] as string;
  // First, as a lock: what others add meanwhile is deleted, too, or is not added.
  await transaction.query("update projects set removed_at = $2 where project_id = $1", [projectId, deps.now()]);
  addCaches(project, outside);
  const jobs = await transaction.query(
    "select job_id, object_key, finished_at from jobs where project_id = $1 order by position",
    [projectId],
  );
  const error = `The site ${project["domain"] as string} was removed.`;
  for (const job of jobs) {
    outside.jobIds.push(job["job_id"] as string);
    if (job["object_key"] !== null) outside.objectKeys.push(job["object_key"] as string);
    if (job["finished_at"] === null) await endJob(deps, transaction, job["job_id"] as string, { error });
  }
  const finished = jobs.filter((job) => job["finished_at"] !== null).map((job) => job["job_id"] as string);
  for (const jobId of finished) await deleteRows(transaction, counts, "jobs", "job_id = $1", [jobId]);
  await deleteRows(transaction, counts, "threads", "project_id = $1", [projectId]);
  counts["view_sites"] = (counts["view_sites"] ?? 0) + (await forgetViews(transaction, projectId));
  counts["projects"] = (counts["projects"] ?? 0) + 1;
}

/** Workers have copies of the site's pages and of its repository. */
export function addCaches(project: Row, outside: Outside): void {
  outside.projects.push({
    organizationId: project["organization_id"] as string,
    projectId: project["project_id"] as string,
  });
  const { kind, url, subfolder } = JSON.parse(project["source"] as string) as Readonly<Record<string, string>>;
  if (kind === "git" && url !== undefined)
    outside.repositories.push({ url, ...(subfolder !== undefined && { subfolder }) });
}

/**
 * What is deleted with an organization, in this order, by its id. A test compares it with the tables that have the column
 * `organization_id` or `project_id`: a new one needs a line here or in `tablesWithOwnWay`.
 */
export const organizationTables = [
  "idempotency_keys",
  "jobs",
  "agent_jobs",
  "turns",
  "api_keys",
  "credentials",
  "pending_installations",
  "sites_before_binding",
  "invites",
  "memberships",
  "projects",
  "audit_log",
  "audit_heads",
  "organizations",
] as const;

/** Deleted by the site, or in another way, with the reason. */
export const tablesWithOwnWay = {
  threads: "by the site",
  view_sites: "by the site: forgetViews",
  sessions: "the column is what somebody looks at; it is emptied",
  queue: "of SQLite: the end of a job deletes its row",
  erasures: "the receipts stay",
} as const;

/** Deletes the rows, and counts them. */
export async function deleteRows(
  transaction: Transaction,
  counts: Record<string, number>,
  table: string,
  where: string,
  params: readonly string[],
): Promise<void> {
  const rows = await transaction.query(`delete from ${table} where ${where} returning 1 as one`, params);
  counts[table] = (counts[table] ?? 0) + rows.length;
}
