import { erase } from "../../erase.js";
import { isFinished } from "../../jobs/index.js";
import { ObjectMissingError } from "../../store/index.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { ownJob } from "./job-page.js";

/** Links from the console are followed at once. */
const linkMs = 5 * 60_000;

export async function cancelJob(context: ConsoleContext): Promise<ConsoleAnswer> {
  const job = await ownJob(context);
  if (!job) return "not-found";
  const to = `/console/jobs/${job.jobId}`;
  if (isFinished(job)) return { redirect: to, notice: "The job had ended already." };
  await context.deps.store.jobs.cancel(job.jobId, `The job was cancelled by ${context.person.name}.`, context.by);
  return { redirect: to, notice: "The job is cancelled." };
}

/** A new job with the request of an ended one. */
export async function exportAgain(context: ConsoleContext): Promise<ConsoleAnswer> {
  const job = await ownJob(context);
  if (!job) return "not-found";
  const { accounts } = context.deps.store;
  const back = `/console/jobs/${job.jobId}`;
  const project = await accounts.projectByDomain(job.domain);
  if (project?.organizationId !== job.organizationId)
    return { redirect: back, notice: `The site ${job.domain} has been removed.` };
  return startExport(context, project.projectId, job, back);
}

interface ExportRequest {
  readonly domain: string;
  readonly version?: string;
  readonly paths?: readonly string[];
  readonly audience?: readonly string[];
  readonly webhookUrl?: string;
}

/** Starts an export of a site of the organization and shows its job, or goes `back` and says why it cannot. */
export async function startExport(
  { deps, organization: { organizationId }, person, by }: ConsoleContext,
  projectId: string,
  { domain, version, paths, audience, webhookUrl }: ExportRequest,
  back: string,
): Promise<ConsoleAnswer> {
  const { jobs, accounts } = deps.store;
  if ((await accounts.organizationById(organizationId))?.plan !== "enterprise")
    return {
      redirect: back,
      notice: "Static export needs the enterprise plan, which this organization does not have.",
    };
  const request = { organizationId, projectId, domain, version, paths, audience, webhookUrl, requestedBy: person.name };
  const created = await jobs.create(request, undefined, by);
  if (created.kind === "full")
    return { redirect: back, notice: `${created.maxQueued} jobs wait already. Try again when some have run.` };
  if (created.kind !== "created") throw new Error(`A job without a key is ${created.kind}.`);
  return { redirect: `/console/jobs/${created.job.jobId}` };
}

/** A fresh link to the bundle. It is a secret, so the browser follows it and no page shows it. */
export async function downloadBundle(context: ConsoleContext): Promise<ConsoleAnswer> {
  const job = await ownJob(context);
  if (!job) return "not-found";
  const back = `/console/jobs/${job.jobId}`;
  if (!job.bundle) return { redirect: back, notice: "This job has no bundle." };
  try {
    const { url } = await context.deps.store.objects.link(job.bundle.objectKey, linkMs);
    await context.audit("job.download", job.jobId, job.domain);
    return { redirect: url };
  } catch (error) {
    if (!(error instanceof ObjectMissingError)) throw error;
    return { redirect: back, notice: "The bundle of this job is no longer kept. Export again." };
  }
}

/** Deletes the bundle for good; links to it end at once. */
export async function withdrawBundle(context: ConsoleContext): Promise<ConsoleAnswer> {
  const job = await ownJob(context);
  if (!job) return "not-found";
  const { jobId, organizationId } = job;
  const redirect = `/console/jobs/${jobId}`;
  const erased = await erase(context.deps.store, { kind: "bundle", organizationId, jobId }, context.by);
  if (!("erasureId" in erased)) return { redirect, notice: "This job has no bundle." };
  return { redirect, notice: "The bundle is withdrawn. Links to it no longer work." };
}
