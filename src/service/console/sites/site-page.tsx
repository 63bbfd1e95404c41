import type { Diagnostic } from "../../../lib/diagnostic/index.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { includesRole, type Job, type Project, type Role } from "../../jobs/index.js";
import type { Diagnostics } from "../../read-diagnostics.js";
import { Action, Badge, Button, EmptyState, Facts, Field, Form, PageHead, Section, Time } from "../components/index.js";
import { counted, formatCount } from "../format.js";
import { JobStatus, JobTable } from "../jobs/job-list.js";
import { deploymentTexts, sourceText } from "./sites-page.js";

interface SitePageProps {
  readonly project: Project;
  /** The newest first. */
  readonly jobs: readonly Job[];
  /** The newest job whose export has ended. */
  readonly checked?: Job;
  readonly findings?: Diagnostics;
  readonly csrf: string;
  readonly role: Role;
  readonly now: number;
}

export function SitePage({ project, jobs, checked, findings, csrf, role, now }: SitePageProps): JsxNode {
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
          ["Identifier", identifier],
          ["Last export", <LastExport job={jobs[0]} />],
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
      <Section
        title="Diagnostics"
        lead={checked ? "What the last finished export found in the site." : undefined}
        actions={checked && <a href={`/console/jobs/${checked.jobId}`}>Show the export</a>}
      >
        <Findings checked={checked} findings={findings} />
      </Section>
      <Section title="Exports" actions={<a href={`/console/jobs?site=${domain}`}>Show all</a>}>
        {jobs.length === 0 ? (
          <EmptyState icon="jobs" title="No exports yet" command={`npx offprint export ${exampleFolder(project)}`}>
            Press "Export now", or try the site on your own machine first:
          </EmptyState>
        ) : (
          <JobTable jobs={jobs} now={now} isOfOneSite />
        )}
        {isEditor && (
          <Form action={`${path}/export`} csrf={csrf} class="form form-row">
            <Field
              name="audience"
              label="Readers"
              placeholder="staff, partners"
              hint="Names of groups. The bundle also has what only they may read."
              required={false}
            />
            <Button kind="plain">Export for them</Button>
          </Form>
        )}
      </Section>
    </>
  );
}

function Findings({ checked, findings }: Pick<SitePageProps, "checked" | "findings">): JsxNode {
  if (!checked?.report)
    return (
      <EmptyState icon="check" title="Not known yet">
        The first finished export says what it found.
      </EmptyState>
    );
  const { errors, warnings } = checked.report;
  if (errors + warnings === 0)
    return (
      <EmptyState icon="check" title="Nothing to report">
        The export found no mistakes.
      </EmptyState>
    );
  if (!findings) return <p class="faint">They are no longer kept. Export the site again to see them.</p>;
  return <FindingsByCode findings={findings} />;
}

const exampleFolder = ({ source }: Project): string => (source.kind === "folder" ? source.path : ".");

function LastExport({ job }: { readonly job?: Job }): JsxNode {
  if (!job) return <span class="faint">none</span>;
  return (
    <span class="with-icon">
      <JobStatus job={job} />
      <Time at={job.finishedAt ?? job.createdAt} />
    </span>
  );
}

/** Of one code: more of them say the same. */
const shownOfCode = 50;

/** Diagnostics by code, errors first, then the most frequent; each with its place and how to fix it. */
function FindingsByCode({ findings }: { readonly findings: Diagnostics }): JsxNode {
  const { diagnostics, next } = findings;
  const byCode = Map.groupBy(diagnostics, ({ code }) => code);
  const groups = [...byCode].sort(([, a], [, b]) => errorsOf(b) - errorsOf(a) || b.length - a.length);
  return (
    <div class="findings by-code">
      {groups.map(([code, found], index) => (
        <details class="code-group" open={index === 0}>
          <summary>
            <Badge kind={errorsOf(found) > 0 ? "bad" : "warning"}>{errorsOf(found) > 0 ? "Error" : "Warning"}</Badge>
            <code>{code}</code>
            <span class="faint">{counted(found.length, "time")}</span>
          </summary>
          <ul class="code-list">
            {found.slice(0, shownOfCode).map((each) => (
              <Finding diagnostic={each} />
            ))}
            {found.length > shownOfCode && (
              <li class="faint">{`and ${formatCount(found.length - shownOfCode)} more`}</li>
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

const errorsOf = (found: readonly Diagnostic[]): number => (found.some(({ severity }) => severity === "error") ? 1 : 0);

function Finding({ diagnostic }: { readonly diagnostic: Diagnostic }): JsxNode {
  const { what, fix, location } = diagnostic;
  const place = location && [location.sourcePath, location.line, location.column].filter((part) => part !== undefined);
  return (
    <li>
      {place && <code class="code-place">{place.join(":")}</code>}
      <p>{what}</p>
      <p class="finding-fix">
        <b>Fix</b> {fix}
      </p>
    </li>
  );
}
