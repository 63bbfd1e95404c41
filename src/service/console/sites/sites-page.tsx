import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { includesRole, isFinished, type Job, type Project } from "../../jobs/index.js";
import { addSiteCommand } from "../add-site.js";
import * as ui from "../components/index.js";
import { counted } from "../format.js";
import { JobStatus } from "../jobs/job-list.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

interface Site {
  readonly project: Project;
  /** The newest one. */
  readonly job?: Job;
}

export const sitesPath = "/console/sites";
export const sitePath = ({ projectId }: Pick<Project, "projectId">): string => `${sitesPath}/${projectId}`;

export const sitesPage = ({ deps, role }: ConsoleContext, sites: readonly Site[]): ConsoleAnswer => ({
  title: "Sites",
  page: [
    <ui.PageHead title="Sites" lead="Each site is one domain with its own source and exports.">
      {includesRole(role, "editor") && <ui.LinkButton href={`${sitesPath}/new`} kind="primary" label="Add a site" />}
    </ui.PageHead>,
    sites.length === 0 ? (
      <ui.EmptyState icon="sites" title="No sites yet" command={addSiteCommand(deps)}>
        Add a repository here, or a folder of the service's machine in its terminal.
      </ui.EmptyState>
    ) : (
      <ui.Table label="Sites" columns={columns} rows={sites} rowData={({ job }) => liveData(job)} />
    ),
  ],
});

/** The script of the page updates the row of an unfinished job. */
const liveData = (job: Job | undefined) => (job && !isFinished(job) ? { "data-job": job.jobId } : undefined);

const columns: readonly ui.Column<Site>[] = [
  {
    title: "Site",
    kind: "wide",
    of: ({ project }) => (
      <ui.RowText href={sitePath(project)} below={sourceText(project)}>
        {project.domain}
      </ui.RowText>
    ),
  },
  { title: "Served", of: ({ project }) => deploymentTexts[project.deployment] },
  {
    title: "Last export",
    of: ({ job }) => (job ? <JobStatus job={job} /> : <span class="faint">none</span>),
  },
  { title: "Findings", of: ({ job }) => <FindingCounts job={job} /> },
  { title: "When", of: ({ job }) => <ui.Time at={job?.createdAt} /> },
];

export const deploymentTexts = {
  cloud: "Online",
  "client-hosted": "Own hosts",
  "air-gapped": "Air-gapped",
} as const;

/** The source of a site in one line. */
export function sourceText({ source }: Project): string {
  if (source.kind === "folder") return source.path;
  const { url, ref, subfolder } = source;
  return [url, subfolder && `, folder ${subfolder}`, ref && `, at ${ref}`].filter(Boolean).join("");
}

/** What the export found in the site. */
function FindingCounts({ job }: { readonly job?: Job }): JsxNode {
  if (!job?.report) return <span class="faint">unknown</span>;
  const { errors, warnings } = job.report;
  if (errors + warnings === 0) return <span class="faint">none</span>;
  return (
    <span>
      {[errors > 0 && counted(errors, "error"), warnings > 0 && counted(warnings, "warning")]
        .filter(Boolean)
        .join(", ")}
    </span>
  );
}
