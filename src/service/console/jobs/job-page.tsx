import type { Diagnostic } from "../../../lib/diagnostic/index.js";
import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { includesRole, isFinished, type Job } from "../../jobs/index.js";
import { readDiagnostics } from "../../read-diagnostics.js";
import { Action, Badge, EventTable, Facts, Icon, Notice, PageHead, Pager, Section, Time } from "../components/index.js";
import { counted, formatBytes, formatCount } from "../format.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { durationOf, isCancelled, JobStatus, Progress } from "./job-list.js";

const diagnosticsPerPage = 50;
const logLines = 100;

/** The job of the address, if it is one of the organization. */
export async function ownJob({ deps, params, organization }: ConsoleContext): Promise<Job | undefined> {
  const job = await deps.store.jobs.get(params["id"]!);
  const isOwn = job?.organizationId === organization.organizationId && job.agentJobId === undefined;
  return isOwn ? job : undefined;
}

export async function showJob(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, query, role, csrf } = context;
  const job = await ownJob(context);
  if (!job) return "not-found";
  const path = `/console/jobs/${job.jobId}`;
  const key = job.report?.diagnosticsKey;
  const cursor = query.get("after") ?? undefined;
  const [{ lines }, found] = await Promise.all([
    deps.store.jobs.log(job.jobId, { limit: logLines }),
    key === undefined ? undefined : readDiagnostics(deps.store.objects, key, { limit: diagnosticsPerPage, cursor }),
  ]);
  if (found === "bad cursor") return "not-found";
  const mayAct = includesRole(role, "editor");
  return {
    title: `${job.domain}, job`,
    page: (
      <div class="page" data-job={isFinished(job) ? undefined : job.jobId} data-reload="">
        <PageHead
          back={["Jobs", "/console/jobs"]}
          title={
            <span class="title-badge">
              {job.domain} <JobStatus job={job} />
            </span>
          }
        >
          {mayAct && !isFinished(job) && (
            <Action action={`${path}/cancel`} csrf={csrf} kind="danger">
              Cancel
            </Action>
          )}
          {mayAct && isFinished(job) && (
            <Action action={`${path}/again`} csrf={csrf}>
              Export again
            </Action>
          )}
          {job.bundle && includesRole(role, "owner") && (
            <Action action={`${path}/withdraw`} csrf={csrf} kind="danger">
              Withdraw
            </Action>
          )}
          {job.bundle && (
            <Action action={`${path}/download`} csrf={csrf} kind="primary">
              <Icon name="download" /> Download
            </Action>
          )}
        </PageHead>
        {job.error !== undefined && (
          <Notice kind={isCancelled(job) ? "note" : "bad"}>
            {/* What follows the first line are the diagnostics, which are below. */}
            {found?.diagnostics.length ? job.error.split("\n")[0] : job.error}
            {job.report && mayAct && (
              <>
                {" Correct the site, or "}
                <a href={`/console/sites/${job.projectId}/source`}>change its source</a>
                {", and export it again."}
              </>
            )}
          </Notice>
        )}
        {!isFinished(job) && <Running job={job} />}
        <JobFacts job={job} now={deps.now()} />
        {job.report && (
          <Findings job={job} diagnostics={found?.diagnostics}>
            <Pager path={path} query={query} next={found?.next} first="First" more="More" />
          </Findings>
        )}
        <EventTable title="Log" events={lines} />
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
  const facts: readonly (readonly [string, JsxChild])[] = [
    ["Site", <a href={`/console/sites/${job.projectId}`}>{job.domain}</a>],
    ["Version", job.version ?? "the site's default"],
    ["Pages", job.paths ? `${counted(job.paths.length, "page")} chosen` : `${formatCount(job.pageCount)}, all`],
    ...(job.audience ? [["Readers", job.audience.join(", ")] as const] : []),
    ["Asked by", job.requestedBy ?? "unknown"],
    ["Started", <Time at={job.createdAt} />],
    ...(isFinished(job) ? ([["Ended", <Time at={job.finishedAt} />]] as const) : []),
    ["Time", durationOf(job, now)],
    ["Attempts", formatCount(job.attempt)],
    ...(job.bundle
      ? ([
          ["Bundle", formatBytes(job.bundle.bytes)],
          ["SHA-256", <code class="hash">{job.bundle.sha256}</code>],
        ] as const)
      : []),
    ["Job", <code>{job.jobId}</code>],
  ];
  return <Facts facts={facts} />;
}

interface FindingsProps {
  readonly job: Job;
  /** Undefined: they are no longer kept. */
  readonly diagnostics: readonly Diagnostic[] | undefined;
  readonly children?: JsxChild;
}

function Findings({ job, diagnostics, children }: FindingsProps): JsxNode {
  const { errors, warnings } = job.report!;
  if (errors + warnings === 0)
    return (
      <Section title="Diagnostics">
        <Notice kind="good">The export found nothing wrong with the site.</Notice>
      </Section>
    );
  return (
    <Section title="Diagnostics" lead={`${counted(errors, "error")}, ${counted(warnings, "warning")}`}>
      {diagnostics ? (
        <ul class="findings">
          {diagnostics.map((each) => (
            <Finding diagnostic={each} />
          ))}
        </ul>
      ) : (
        <p class="faint">The diagnostics of this job are no longer kept.</p>
      )}
      {children}
    </Section>
  );
}

/** What is wrong, where, and what to do. */
export function Finding({ diagnostic }: { readonly diagnostic: Diagnostic }): JsxNode {
  const { code, severity, what, fix, location } = diagnostic;
  const at = location && [location.sourcePath, location.line, location.column].filter((part) => part !== undefined);
  return (
    <li class="finding">
      <p class="finding-head">
        <Badge kind={severity === "error" ? "bad" : "warning"}>{code}</Badge>
        {at && <code class="faint">{at.join(":")}</code>}
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
