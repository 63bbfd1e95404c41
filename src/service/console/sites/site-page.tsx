import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { includesRole, type Job, type Project, type Role } from "../../jobs/index.js";
import { Action, type Column, EmptyState, Facts, PageHead, Section, StatusBadge, Table, Time } from "../parts/index.js";
import type { ReadDiagnostics } from "../read-diagnostics.js";
import { FindingsByCode } from "./findings-by-code.js";
import { counted, deploymentTexts, FindingCounts, sourceText } from "./sites-page.js";

interface SitePageProps {
  readonly project: Project;
  /** The newest first. */
  readonly jobs: readonly Job[];
  /** The newest job whose export has ended. */
  readonly checked?: Job;
  readonly findings?: ReadDiagnostics;
  readonly csrf: string;
  readonly role: Role;
}

export function SitePage({ project, jobs, checked, findings, csrf, role }: SitePageProps): JsxNode {
  const { domain, identifier, projectId, deployment } = project;
  const path = `/console/sites/${projectId}`;
  const isEditor = includesRole(role, "editor");
  return (
    <>
      <PageHead title={domain} back={["Sites", "/console/sites"]}>
        {isEditor && (
          <Action action={`${path}/export`} csrf={csrf} kind="primary">
            Export now
          </Action>
        )}
      </PageHead>
      <Facts
        facts={[
          ["Source", <code>{sourceText(project)}</code>],
          ["Served", deploymentTexts[deployment]],
          ["Identifier", <code>{identifier}</code>],
          ["Last export", <LastExport job={jobs[0]} />],
        ]}
      />
      <p class="links">
        <a href={`/console/views?site=${identifier}`}>Views</a>
        {isEditor && <a href={`/console/questions?site=${identifier}`}>Questions</a>}
        {isEditor && <a href={`${path}/source`}>Change source</a>}
        {includesRole(role, "owner") && (
          <a class="danger" href={`${path}/remove`}>
            Remove site
          </a>
        )}
      </p>
      <Section
        title="Diagnostics"
        lead={checked ? "What the last finished export found in the site." : undefined}
        actions={checked && <a href={`/console/jobs/${checked.jobId}`}>Show the export</a>}
      >
        {findings ? (
          <FindingsByCode findings={findings} />
        ) : (
          <EmptyState icon="check" title={checked ? "Nothing to report" : "Not known yet"}>
            {checked ? "The export found no mistakes." : "The first finished export says what it found."}
          </EmptyState>
        )}
      </Section>
      <Section title="Exports" actions={<a href={`/console/jobs?site=${identifier}`}>Show all</a>}>
        {jobs.length === 0 ? (
          <EmptyState icon="jobs" title="No exports yet" command={`npx offprint export ${exampleFolder(project)}`}>
            Press "Export now", or try the site on your own machine first:
          </EmptyState>
        ) : (
          <Table label="Exports" columns={columns} rows={jobs} />
        )}
      </Section>
    </>
  );
}

const exampleFolder = ({ source }: Project): string => (source.kind === "folder" ? source.path : ".");

function LastExport({ job }: { readonly job?: Job }): JsxNode {
  if (!job) return <span class="faint">none</span>;
  return (
    <span class="with-icon">
      <StatusBadge status={job.status} />
      <Time at={job.finishedAt ?? job.createdAt} />
    </span>
  );
}

const columns: readonly Column<Job>[] = [
  {
    title: "Export",
    kind: "wide",
    of: (job) => (
      <a class="row-link" href={`/console/jobs/${job.jobId}`}>
        {job.version ?? (job.paths ? counted(job.paths.length, "chosen page") : "Whole site")}
      </a>
    ),
  },
  { title: "State", of: ({ status }) => <StatusBadge status={status} /> },
  { title: "Pages", kind: "number", of: ({ pageCount }) => pageCount.toLocaleString("en") },
  { title: "Findings", of: (job) => <FindingCounts job={job} /> },
  { title: "Created", of: ({ createdAt }) => <Time at={createdAt} /> },
];
