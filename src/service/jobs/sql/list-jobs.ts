import { cursorOf, positionOf } from "../cursor.js";
import type { Job } from "../job.js";
import type { JobList, JobListPage } from "../job-store.js";
import { jobOf } from "./job-rows.js";
import type { StoreDeps } from "./store-deps.js";

/**
 * Newest first, by insertion order, which does not depend on a clock. An invalid cursor gives an empty page.
 */
export async function listJobs(deps: StoreDeps, organizationId: string, page: JobListPage): Promise<JobList> {
  const limit = Math.max(1, Math.min(100, Math.floor(page.limit)));
  const before = page.cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(page.cursor);
  const rows = await deps.database.read(
    `select * from jobs
     where organization_id = $1 and position < $2 and agent_job_id is null
       and (cast($3 as text) is null or status = $3) and (cast($4 as text) is null or domain = $4)
     order by position desc limit $5`,
    [organizationId, before, page.status, page.domain, limit + 1],
  );
  const shown = rows.slice(0, limit);
  return {
    jobs: shown.map(jobOf),
    next: rows.length > limit ? cursorOf(shown.at(-1)!["position"] as number) : undefined,
  };
}

/** The newest job of each project. */
export async function latestJobs(deps: StoreDeps, organizationId: string): Promise<readonly Job[]> {
  const rows = await deps.database.read(
    `select * from jobs where position in
       (select max(position) from jobs where organization_id = $1 and agent_job_id is null
       group by project_id)`,
    [organizationId],
  );
  return rows.map(jobOf);
}
