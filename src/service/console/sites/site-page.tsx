import { type Diagnostic, locationText } from "../../../lib/diagnostic/index.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { includesRole, type Job, type Project } from "../../jobs/index.js";
import type { Diagnostics } from "../../read-diagnostics.js";
import * as ui from "../components/index.js";
import { counted, formatCount } from "../format.js";
import { JobStatus, JobTable } from "../jobs/job-list.js";
import type { ConsoleContext } from "../route.js";
import { deploymentTexts, sitePath, sourceText } from "./sites-page.js";

interface SitePageProps {
  readonly context: ConsoleContext;
  readonly project: Project;
  /** The newest first. */
  readonly jobs: readonly Job[];
  /** The newest job whose export has ended. */
  readonly checked?: Job;
  /** The newest export of the whole site. */
  readonly latest?: Job;
  readonly findings?: Diagnostics;
}

export function SitePage({ context, project, jobs, checked, latest, findings }: SitePageProps): JsxNode {
  const { deps, role } = context;
  const { domain, identifier, deployment } = project;
  const path = sitePath(project);
  const isEditor = includesRole(role, "editor");
  return (
    <>
      <ui.PageHead title={domain} back={["Sites", "/console/sites"]}>
        {isEditor && <ui.Action action={`${path}/export`} context={context} kind="primary" label="Export now" />}
      </ui.PageHead>
      <ui.Facts
        facts={[
          ["Source", <code>{sourceText(project)}</code>],
          ["Served", deploymentTexts[deployment]],
          ["Project id", <ui.Copyable text={project.projectId} />],
          ["Identifier", <ui.Copyable text={identifier} />],
          ["Last export", <LastExport job={latest} />],
        ]}
      />
      <p class="links">
        <a href={`/console/views?site=${domain}`}>Views</a>
        {isEditor && <a href={`/console/questions?site=${domain}`}>Questions</a>}
        {isEditor && <a href={`${path}/source`}>Change source</a>}
        {isEditor && <a href={`${path}/settings`}>Settings</a>}
        {includesRole(role, "owner") && (
          <a class="danger" href={`${path}/remove`}>
            Remove site
          </a>
        )}
      </p>
      <ui.Section
        title="Diagnostics"
        lead={checked ? "What the last finished export found in the site." : undefined}
        actions={checked && <a href={`/console/jobs/${checked.jobId}`}>Show the export</a>}
      >
        <Findings checked={checked} findings={findings} />
      </ui.Section>
      <ui.Section title="Exports" actions={<a href={`/console/jobs?site=${domain}`}>Show all</a>}>
        {jobs.length === 0 ? (
          <ui.EmptyState icon="jobs" title="No exports yet" command={`npx offprint export ${exampleFolder(project)}`}>
            Press "Export now", or try the site on your own machine first:
          </ui.EmptyState>
        ) : (
          <JobTable jobs={jobs} now={deps.now()} isOfOneSite />
        )}
        {isEditor && (
          <ui.Form
            action={`${path}/export`}
            context={context}
            class="form form-row"
            fields={[
              {
                name: "audience",
                label: "Readers",
                placeholder: "staff, partners",
                hint: "Names of groups. The bundle then also contains pages that are restricted to them.",
                required: false,
              },
            ]}
            submit="Export for them"
            kind="plain"
          />
        )}
      </ui.Section>
    </>
  );
}

function Findings({ checked, findings }: Pick<SitePageProps, "checked" | "findings">): JsxNode {
  if (!checked?.report)
    return (
      <ui.EmptyState icon="check" title="Not known yet">
        The first finished export says what it found.
      </ui.EmptyState>
    );
  const { errors, warnings } = checked.report;
  if (errors + warnings === 0)
    return (
      <ui.EmptyState icon="check" title="Nothing to report">
        The export found no mistakes.
      </ui.EmptyState>
    );
  if (!findings) return <p class="faint">They have been deleted. Export the site again to see them.</p>;
  return <FindingsByCode findings={findings} />;
}

const exampleFolder = ({ source }: Project): string => (source.kind === "folder" ? source.path : ".");

function LastExport({ job }: { readonly job?: Job }): JsxNode {
  if (!job) return <span class="faint">none</span>;
  return (
    <span class="with-icon">
      <JobStatus job={job} />
      <ui.Time at={job.finishedAt ?? job.createdAt} />
    </span>
  );
}

/** The most diagnostics of one code: further ones add nothing. */
const shownOfCode = 50;

/** Diagnostics by code, errors first, then the most frequent; each with its place and how to fix it. */
function FindingsByCode({ findings }: { readonly findings: Diagnostics }): JsxNode {
  const { diagnostics, next } = findings;
  const groups = [...Map.groupBy(diagnostics, ({ code }) => code)]
    .map(([code, ofCode]) => ({ code, ofCode, hasError: ofCode.some(({ severity }) => severity === "error") }))
    .sort((a, b) => Number(b.hasError) - Number(a.hasError) || b.ofCode.length - a.ofCode.length);
  return (
    <div class="findings by-code">
      {groups.map(({ code, ofCode, hasError }, index) => (
        <details class="code-group" open={index === 0}>
          <summary>
            <ui.Badge kind={hasError ? "bad" : "warning"}>{hasError ? "Error" : "Warning"}</ui.Badge>
            <code>{code}</code>
            <span class="faint">{counted(ofCode.length, "time")}</span>
          </summary>
          <ul class="code-list">
            {ofCode.slice(0, shownOfCode).map((diagnostic) => (
              <Finding diagnostic={diagnostic} />
            ))}
            {ofCode.length > shownOfCode && (
              <li class="faint">{`and ${formatCount(ofCode.length - shownOfCode)} more`}</li>
            )}
          </ul>
        </details>
      ))}
      {next !== undefined && (
        <p class="hint">{`These are the first ${formatCount(diagnostics.length)}; the export has all.`}</p>
      )}
    </div>
  );
}

function Finding({ diagnostic }: { readonly diagnostic: Diagnostic }): JsxNode {
  const { what, fix, location } = diagnostic;
  return (
    <li>
      {location && <code class="code-place">{locationText(location)}</code>}
      <p>{what}</p>
      <p class="finding-fix">
        <b>Fix</b> {fix}
      </p>
    </li>
  );
}
