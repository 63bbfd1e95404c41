import { type Diagnostic, locationText } from "../../../lib/diagnostic/index.js";
import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { includesRole, isFinished, type Job } from "../../jobs/index.js";
import { readDiagnostics } from "../../read-diagnostics.js";
import * as ui from "../components/index.js";
import { counted, formatBytes, formatCount } from "../format.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";
import { durationOf, isCancelled, JobStatus, Progress } from "./job-list.js";

const diagnosticsPerPage = 50;
const logLines = 100;

/** A handler for the export job of the address. */
export const forJob = forObject(async ({ store, params, organizationId }): Promise<Job | undefined> => {
  const job = await store.jobs.get(params["id"]!);
  return job?.organizationId === organizationId && job.agentJobId === undefined ? job : undefined;
});

export async function showJob(context: ConsoleContext, job: Job): Promise<ConsoleAnswer> {
  const { deps, store, query, role } = context;
  const path = `/console/jobs/${job.jobId}`;
  const key = job.report?.diagnosticsKey;
  const cursor = query.get("after") ?? undefined;
  const [{ lines }, findings] = await Promise.all([
    store.jobs.log(job.jobId, { limit: logLines }),
    key === undefined ? undefined : readDiagnostics(store.objects, key, { limit: diagnosticsPerPage, cursor }),
  ]);
  if (findings === "bad cursor") return "not-found";
  const mayAct = includesRole(role, "editor");
  return {
    title: `${job.domain}, job`,
    page: (
      <div class="page" data-job={isFinished(job) ? undefined : job.jobId} data-reload="">
        <ui.PageHead
          back={["Jobs", "/console/jobs"]}
          title={
            <span class="title-badge">
              {job.domain} <JobStatus job={job} />
            </span>
          }
        >
          {mayAct && !isFinished(job) && (
            <ui.Action action={`${path}/cancel`} context={context} kind="danger" label="Cancel" />
          )}
          {mayAct && isFinished(job) && <ui.Action action={`${path}/again`} context={context} label="Export again" />}
          {job.bundle && includesRole(role, "owner") && (
            <ui.Action action={`${path}/withdraw`} context={context} kind="danger" label="Withdraw" />
          )}
          {job.bundle && (
            <ui.Action action={`${path}/download`} context={context} kind="primary" icon="download" label="Download" />
          )}
        </ui.PageHead>
        {job.error !== undefined && (
          <ui.Notice kind={isCancelled(job) ? "note" : "bad"}>
            {/* The lines after the first are the diagnostics, which are listed below. */}
            {findings?.diagnostics.length ? job.error.split("\n")[0] : job.error}
            {job.report && mayAct && (
              <>
                {" Correct the site, or "}
                <a href={`/console/sites/${job.projectId}/source`}>change its source</a>
                {", and export it again."}
              </>
            )}
          </ui.Notice>
        )}
        {!isFinished(job) && <Running job={job} />}
        <JobFacts job={job} now={deps.now()} />
        {job.report && (
          <Findings job={job} diagnostics={findings?.diagnostics}>
            <ui.Pager path={path} query={query} next={findings?.next} first="First" more="More" />
          </Findings>
        )}
        <ui.EventTable title="Log" events={lines} />
      </div>
    ),
  };
}

const Running = ({ job }: { readonly job: Job }): JsxNode => (
  <div class="panel running">
    <Progress job={job} label="Progress" />
    <p class="faint">
      <span data-live="pages">{formatCount(job.pageCount)}</span> pages so far
    </p>
  </div>
);

function JobFacts({ job, now }: { readonly job: Job; readonly now: number }): JsxNode {
  const { domain, paths, audience, bundle } = job;
  return (
    <ui.Facts
      facts={[
        ["Site", <a href={`/console/sites/${job.projectId}`}>{domain}</a>],
        ["Version", job.version ?? "the site's default"],
        ["Pages", paths ? `${counted(paths.length, "page")} chosen` : `${formatCount(job.pageCount)}, all`],
        audience !== undefined && ["Readers", audience.join(", ")],
        ["Asked by", job.requestedBy ?? "unknown"],
        ["Requested", <ui.Time at={job.createdAt} />],
        isFinished(job) && ["Ended", <ui.Time at={job.finishedAt} />],
        ["Duration", durationOf(job, now)],
        ["Attempts", formatCount(job.attempt)],
        bundle !== undefined && ["Bundle", formatBytes(bundle.bytes)],
        bundle !== undefined && ["SHA-256", <code class="hash">{bundle.sha256}</code>],
        ["Job", <code>{job.jobId}</code>],
      ]}
    />
  );
}

interface FindingsProps {
  readonly job: Job;
  /** Undefined if they have been deleted. */
  readonly diagnostics: readonly Diagnostic[] | undefined;
  readonly children?: JsxChild;
}

function Findings({ job, diagnostics, children }: FindingsProps): JsxNode {
  const { errors, warnings } = job.report!;
  if (errors + warnings === 0)
    return (
      <ui.Section title="Diagnostics">
        <ui.Notice kind="good">The export found nothing wrong with the site.</ui.Notice>
      </ui.Section>
    );
  return (
    <ui.Section title="Diagnostics" lead={`${counted(errors, "error")}, ${counted(warnings, "warning")}`}>
      {diagnostics ? (
        <ul class="findings">
          {diagnostics.map((diagnostic) => (
            <Finding diagnostic={diagnostic} />
          ))}
        </ul>
      ) : (
        <p class="faint">The diagnostics of this job are no longer kept.</p>
      )}
      {children}
    </ui.Section>
  );
}

function Finding({ diagnostic }: { readonly diagnostic: Diagnostic }): JsxNode {
  const { code, severity, what, fix, location } = diagnostic;
  return (
    <li class="finding">
      <p class="finding-head">
        <ui.Badge kind={severity === "error" ? "bad" : "warning"}>{code}</ui.Badge>
        {location && <code class="faint">{locationText(location)}</code>}
      </p>
      <p>{what}</p>
      {fix !== "" && (
        <p class="finding-fix">
          <b>Fix</b> {fix}
        </p>
      )}
    </li>
  );
}
