import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { isFinished, type Job, type Project, type Role, type JobStatus as Status } from "../../jobs/index.js";
import { addSiteCommand, HowToAdd } from "../add-site.js";
import { EmptyState, PageHead, Pager, StatusBadge, Table, Time } from "../components/index.js";
import { counted, formatCount, formatDuration } from "../format.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleDeps } from "../route.js";

const perPage = 30;
const filters = [
  [undefined, "All"],
  ["queued", "Queued"],
  ["running", "Running"],
  ["completed", "Completed"],
  ["failed", "Failed"],
] as const;

/** The jobs of the organization, newest first. */
export async function listJobs({ deps, organization, query, role }: ConsoleContext): Promise<ConsoleAnswer> {
  const { jobs, accounts } = deps.store;
  const status = filters.find(([value]) => value !== undefined && value === query.get("status"))?.[0];
  const domain = query.get("site") || undefined;
  const [list, sites] = await Promise.all([
    jobs.list(organization.organizationId, {
      limit: perPage,
      cursor: query.get("after") ?? undefined,
      status,
      domain,
    }),
    accounts.projects(organization.organizationId),
  ]);
  const isFiltered = status !== undefined || domain !== undefined || query.has("after");
  return {
    title: "Jobs",
    page: [
      <PageHead title="Jobs" lead="Each job is one export of a site." />,
      (list.jobs.length > 0 || isFiltered) && (
        <div class="filters">
          <StatusFilter status={status} query={query} />
          {sites.length > 1 && (
            <SiteFilter domain={domain} status={status} domains={sites.map((site) => site.domain)} />
          )}
        </div>
      ),
      list.jobs.length > 0 ? (
        <JobTable jobs={list.jobs} now={deps.now()} />
      ) : isFiltered ? (
        <EmptyState icon="jobs" title="No such jobs">
          No job fits these filters. <a href="/console/jobs">Show all jobs</a>
        </EmptyState>
      ) : (
        <NoJobs deps={deps} sites={sites} role={role} />
      ),
      <Pager path="/console/jobs" query={query} next={list.next} />,
    ],
  };
}

interface JobTableProps {
  readonly jobs: readonly Job[];
  readonly now: number;
  /** Whether all are exports of the site whose page this is. */
  readonly isOfOneSite?: boolean;
}

/** A table of jobs; unfinished ones are live. */
export function JobTable({ jobs, now, isOfOneSite = false }: JobTableProps): JsxNode {
  return (
    <Table
      label="Jobs"
      rows={jobs}
      rowData={(job) => (isFinished(job) ? undefined : { "data-job": job.jobId })}
      columns={[
        {
          title: isOfOneSite ? "Export" : "Site",
          kind: "wide",
          of: (job) => (
            <span class="stack">
              <a class="row-link" href={`/console/jobs/${job.jobId}`}>
                {isOfOneSite ? whatOf(job) : job.domain}
              </a>
              {!isOfOneSite && <span class="faint">{whatOf(job)}</span>}
            </span>
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
        { title: "Time", kind: "number", of: (job) => durationOf(job, now) },
        { title: "Asked by", of: ({ requestedBy }) => requestedBy ?? <span class="faint">unknown</span> },
        { title: "Started", kind: "number", of: (job) => <Time at={job.createdAt} /> },
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

const whatOf = ({ version, paths, audience }: Job): string =>
  [
    version ?? "Default version",
    ...(paths ? [counted(paths.length, "page")] : []),
    ...(audience ? [`for ${audience.join(" and ")}`] : []),
  ].join(", ");

function StatusFilter({ status, query }: { readonly status?: Status; readonly query: URLSearchParams }): JsxNode {
  const address = (value: string | undefined): string => {
    const wanted = new URLSearchParams(query);
    wanted.delete("after");
    wanted.delete("status");
    if (value !== undefined) wanted.set("status", value);
    return wanted.size === 0 ? "/console/jobs" : `/console/jobs?${wanted}`;
  };
  return (
    <nav class="segments" aria-label="State">
      {filters.map(([value, text]) => (
        <a href={address(value)} aria-current={value === status ? "true" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

interface SiteFilterProps {
  readonly domain?: string;
  readonly status?: Status;
  readonly domains: readonly string[];
}

const SiteFilter = ({ domain, status, domains }: SiteFilterProps): JsxNode => (
  <form class="filter" action="/console/jobs">
    {status !== undefined && <input type="hidden" name="status" value={status} />}
    <select name="site" aria-label="Site" data-submit="">
      <option value="">All sites</option>
      {domains.map((each) => (
        <option value={each} selected={each === domain}>
          {each}
        </option>
      ))}
    </select>
    <button class="button button-plain" type="submit">
      Show
    </button>
  </form>
);

interface NoJobsProps {
  readonly deps: ConsoleDeps;
  readonly sites: readonly Project[];
  readonly role: Role;
}

/** The next step of an organization that has not exported anything. */
export const NoJobs = ({ deps, sites: [site], role }: NoJobsProps): JsxNode =>
  site ? (
    <EmptyState icon="jobs" title="No exports yet">
      Open <a href={`/console/sites/${site.projectId}`}>{site.domain}</a> and choose "Export now".
    </EmptyState>
  ) : (
    <EmptyState icon="sites" title="Add the first site" command={addSiteCommand(deps)}>
      A site is a folder or a repository with a docs.json. <HowToAdd role={role} />
    </EmptyState>
  );

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
