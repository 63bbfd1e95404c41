import type { Transaction } from "../database.js";

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
