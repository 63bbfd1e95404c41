import { erase } from "../../erase.js";
import { isFinished, type Job } from "../../jobs/index.js";
import { ObjectMissingError } from "../../store/index.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

/** Links from the console are followed at once. */
const linkMs = 5 * 60_000;

const pathOf = ({ jobId }: Job): string => `/console/jobs/${jobId}`;

export async function cancelJob({ store, person, by }: ConsoleContext, job: Job): Promise<ConsoleAnswer> {
  if (isFinished(job)) return { redirect: pathOf(job), notice: "The job had already ended." };
  await store.jobs.cancel(job.jobId, `The job was cancelled by ${person.name}.`, by);
  return { redirect: pathOf(job), notice: "The job is cancelled." };
}

/** Starts a new job with the request of an ended one. */
export async function exportAgain(context: ConsoleContext, job: Job): Promise<ConsoleAnswer> {
  const project = await context.store.accounts.projectByDomain(job.domain);
  if (project?.organizationId !== job.organizationId)
    return { redirect: pathOf(job), notice: `The site ${job.domain} has been removed.` };
  return startExport(context, project.projectId, job, pathOf(job));
}

type ExportRequest = Pick<Job, "domain" | "version" | "paths" | "audience" | "webhookUrl">;

/** Starts an export of a site of the organization and shows its job, or goes `back` and says why it cannot. */
export async function startExport(
  { store, organizationId, person, by }: ConsoleContext,
  projectId: string,
  { domain, version, paths, audience, webhookUrl }: ExportRequest,
  back: string,
): Promise<ConsoleAnswer> {
  if ((await store.accounts.organizationById(organizationId))?.plan !== "enterprise")
    return {
      redirect: back,
      notice: "Static export needs the enterprise plan, which this organization does not have.",
    };
  const request = { organizationId, projectId, domain, version, paths, audience, webhookUrl, requestedBy: person.name };
  const created = await store.jobs.create(request, undefined, by);
  if (created.kind === "full")
    return { redirect: back, notice: `${created.maxQueued} jobs wait already. Try again when some have run.` };
  if (created.kind !== "created") throw new Error(`A job without a key is ${created.kind}.`);
  return { redirect: pathOf(created.job) };
}

/** Makes a new link to the bundle. It is a secret, so the browser follows it and no page shows it. */
export async function downloadBundle({ store, audit }: ConsoleContext, job: Job): Promise<ConsoleAnswer> {
  if (!job.bundle) return { redirect: pathOf(job), notice: "This job has no bundle." };
  try {
    const { url } = await store.objects.link(job.bundle.objectKey, linkMs);
    await audit("job.download", job.jobId, job.domain);
    return { redirect: url };
  } catch (error) {
    if (!(error instanceof ObjectMissingError)) throw error;
    return { redirect: pathOf(job), notice: "The bundle of this job has been deleted. Export again." };
  }
}

/** Deletes the bundle for good. Links to it stop working at once. */
export async function withdrawBundle({ store, by }: ConsoleContext, job: Job): Promise<ConsoleAnswer> {
  const { jobId, organizationId } = job;
  const erased = await erase(store, { kind: "bundle", organizationId, jobId }, by);
  const isErased = "erasureId" in erased;
  const notice = isErased ? "The bundle is withdrawn. Links to it no longer work." : "This job has no bundle.";
  return { redirect: pathOf(job), notice };
}
