import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { isFinished, type Job, type Project } from "../../jobs/index.js";
import { addSiteCommand, HowToAdd } from "../add-site.js";
import * as ui from "../components/index.js";
import { counted, formatCount, formatDuration } from "../format.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const path = "/console/jobs";
const perPage = 30;
const filters = [
  [undefined, "All"],
  ["queued", "Queued"],
  ["running", "Running"],
  ["completed", "Completed"],
  ["failed", "Failed"],
] as const;

/** The jobs of the organization, newest first. */
export async function listJobs(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, store, organizationId, query } = context;
  const status = filters.find(([value]) => value !== undefined && value === query.get("status"))?.[0];
  const domain = query.get("site") || undefined;
  const cursor = query.get("after") ?? undefined;
  const [list, sites] = await Promise.all([
    store.jobs.list(organizationId, { limit: perPage, cursor, status, domain }),
    store.accounts.projects(organizationId),
  ]);
  const isFiltered = status !== undefined || domain !== undefined || query.has("after");
  return {
    title: "Jobs",
    page: [
      <ui.PageHead title="Jobs" lead="Each job is one export of a site." />,
      (list.jobs.length > 0 || isFiltered) && (
        <div class="filters">
          <ui.Segments
            label="State"
            choices={filters.map(([value, text]) => [
              text,
              ui.listAddress(path, query, { status: value }),
              value === status,
            ])}
          />
          <ui.SiteFilter
            path={path}
            domains={sites.map((site) => site.domain)}
            chosen={domain}
            filter={["status", status]}
          />
        </div>
      ),
      list.jobs.length > 0 ? (
        <JobTable jobs={list.jobs} now={deps.now()} />
      ) : isFiltered ? (
        <ui.EmptyState icon="jobs" title="No such jobs">
          No jobs match these filters. <a href={path}>Show all jobs</a>
        </ui.EmptyState>
      ) : (
        noJobs(context, sites)
      ),
      <ui.Pager path={path} query={query} next={list.next} />,
    ],
  };
}

interface JobTableProps {
  readonly jobs: readonly Job[];
  readonly now: number;
  /** Whether the table is on the page of a site, so that the site need not be named. */
  readonly isOfOneSite?: boolean;
}

/** A table of jobs. The script of the page updates unfinished ones. */
export function JobTable({ jobs, now, isOfOneSite = false }: JobTableProps): JsxNode {
  return (
    <ui.Table
      label="Jobs"
      rows={jobs}
      rowData={(job) => (isFinished(job) ? undefined : { "data-job": job.jobId })}
      columns={[
        {
          title: isOfOneSite ? "Export" : "Site",
          kind: "wide",
          of: (job) => (
            <ui.RowText href={`${path}/${job.jobId}`} below={!isOfOneSite && exportText(job)}>
              {isOfOneSite ? exportText(job) : job.domain}
            </ui.RowText>
          ),
        },
        { title: "State", of: (job) => <JobStatus job={job} /> },
        {
          title: "Pages",
          kind: "number",
          of: (job) =>
            isFinished(job) ? (
              <Pages job={job} />
            ) : (
              <span class="stack stack-end">
                <Progress job={job} label={`Progress of ${job.domain}`} />
                <span class="faint">
                  <span data-live="pages">{formatCount(job.pageCount)}</span> pages
                </span>
              </span>
            ),
        },
        { title: "Duration", kind: "number", of: (job) => durationOf(job, now) },
        { title: "Asked by", of: ({ requestedBy }) => requestedBy ?? <span class="faint">unknown</span> },
        { title: "Requested", kind: "number", of: (job) => <ui.Time at={job.createdAt} /> },
      ]}
    />
  );
}

const Pages = ({ job }: { readonly job: Job }): JsxNode => (
  <span class="stack stack-end">
    {formatCount(job.pageCount)}
    {job.report && job.report.errors > 0 && <span class="bad">{counted(job.report.errors, "error")}</span>}
  </span>
);

const exportText = ({ version, paths, audience }: Job): string =>
  [
    version ?? "Default version",
    ...(paths ? [counted(paths.length, "page")] : []),
    ...(audience ? [`for ${audience.join(" and ")}`] : []),
  ].join(", ");

/** Tells an organization without exports what to do next. */
export const noJobs = ({ deps, role }: ConsoleContext, [site]: readonly Project[]): JsxNode =>
  site ? (
    <ui.EmptyState icon="jobs" title="No exports yet">
      Open <a href={`/console/sites/${site.projectId}`}>{site.domain}</a> and choose "Export now".
    </ui.EmptyState>
  ) : (
    <ui.EmptyState icon="sites" title="Add the first site" command={addSiteCommand(deps)}>
      A site is a folder or a repository with a docs.json. <HowToAdd role={role} />
    </ui.EmptyState>
  );

/** Whether the job ended because somebody cancelled it. */
export const isCancelled = ({ status, error }: Job): boolean =>
  status === "failed" && /^The job was cancelled/.test(error ?? "");

/** The state of a job, which the script of the page updates. */
export const JobStatus = ({ job }: { readonly job: Job }): JsxNode =>
  isFinished(job) ? (
    <ui.StatusBadge status={isCancelled(job) ? "cancelled" : job.status} />
  ) : (
    <span data-live="status">
      <ui.StatusBadge status={job.status} />
    </span>
  );

export const Progress = ({ job, label }: { readonly job: Job; readonly label: string }): JsxNode => (
  <span class="progress">
    <progress max={100} value={job.progress} data-live="progress" aria-label={label} />
    <span class="progress-text" data-live="percent">
      {Math.floor(job.progress)} %
    </span>
  </span>
);

/** The time from the request to the end, or until now. */
export const durationOf = (job: Job, now: number): string =>
  formatDuration((job.finishedAt?.getTime() ?? now) - job.createdAt.getTime());
