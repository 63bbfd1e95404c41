import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PagePart } from "../../export/index.js";
import { quoted } from "../../lib/diagnostic/index.js";
import type { Log } from "../../lib/log.js";
import { systemErrorCode } from "../../lib/system-error.js";
import { type OpenedSource, type openSource, SourceFault } from "../git/checkout/index.js";
import type { Credentials } from "../git/credentials/index.js";
import type { AccountStore, Bundle, Job, JobStore, Lease, Project, ShardStore } from "../jobs/index.js";
import { bundleKey, indexKey } from "../store/index.js";
import { type ExportFolders, type ExportProcess, ownFileSize } from "./export-process.js";
import { localFolder, type TaskDeps, taskOf } from "./export-task.js";
import type { Findings } from "./findings.js";
import { type JobCache, type JobCacheDeps, openJobCache } from "./job-cache.js";
import * as failures from "./job-failure.js";
import type { ExportStep, TaskAnswers } from "./messages.js";
import {
  type HeldLease,
  type JobFacts,
  type JobRecord,
  JobStop,
  type LeasedDeps,
  logFailure,
  persist,
} from "./run-leased.js";
import { type SpareProcess, takeProcess } from "./spare-process.js";

export interface JobDeps extends JobCacheDeps, TaskDeps, LeasedDeps {
  readonly store: LeasedDeps["store"] & {
    readonly shards: ShardStore;
    readonly accounts: AccountStore;
    readonly credentials: Credentials;
  };
  readonly openSource: typeof openSource;
  readonly processes: SpareProcess;
  /** See `WorkerOptions`. */
  readonly splitAbove: number;
}

/**
 * Exports a leased job and publishes its bundle.
 *
 * Out:   the job is completed; its files are removed from this machine.
 * Fails: throws the reason why it is not.
 * Stops: once the lease must be given up, rejects with a `JobStop`.
 */
export async function exportJob(lease: Lease, held: HeldLease, record: JobRecord, deps: JobDeps): Promise<JobFacts> {
  const built = await makeBundle(lease, held, record, deps);
  try {
    await publish(lease, held, built, record, deps);
    return { pages: built.pageCount };
  } finally {
    await built.remove();
  }
}

interface BuiltBundle extends Omit<Bundle, "objectKey"> {
  readonly archive: string;
  /** File of its index; undefined for a part of a site, or if the index cannot be made. */
  readonly index: string | undefined;
  readonly pageCount: number;
  readonly findings: Findings;
  /** Removes all files of the job. */
  remove(): Promise<void>;
}

async function makeBundle(lease: Lease, held: HeldLease, record: JobRecord, deps: JobDeps): Promise<BuiltBundle> {
  const { job } = lease;
  const { signal } = held;
  signal.throwIfAborted();
  const project = await deps.store.accounts.projectById(job.projectId).catch(failures.onUnreadDatabase);
  if (!project || project.removedAt) throw failures.removedSite(job.domain);
  const site = await localFolder(project);
  const exporting = takeProcess(deps, site);
  const remove = (): Promise<void> =>
    exporting
      .remove()
      .catch(logFailure(deps.log, "failed to remove a folder", { jobId: job.jobId }, undefined, "error"));
  try {
    const bundle = await exportProject(lease, held, project, exporting, record, deps);
    return { ...bundle, remove };
  } catch (error) {
    if (!deps.processes.putBack(exporting)) await remove();
    throw error;
  } finally {
    // The next process loads during the upload.
    deps.processes.refill(site);
  }
}

/** Exports the site in `exporting`, which ends with it. */
async function exportProject(
  lease: Lease,
  { signal, update }: HeldLease,
  project: Project,
  exporting: ExportProcess,
  record: JobRecord,
  deps: JobDeps,
): Promise<Omit<BuiltBundle, "remove">> {
  const { job } = lease;
  const { folders } = exporting;
  const source = await openSite(project, job, folders, deps, signal);
  await record.add("info", "The site's files are ready.");
  if (source.isLabelled)
    await record.add(
      "warning",
      `The site's source has no branch, tag or commit ${quoted(job.version!)}, so this is only a label: the site's default version is exported.`,
    );
  const cache = await openJobCache(job.jobId, project, folders, deps, signal);
  const parts = splitJob(lease, signal, cache, deps);
  try {
    const outcome = await exporting.run(
      { ...taskOf(job, project, await realpath(source.folder), folders, deps), splits: parts !== undefined },
      (step) => update(parts?.withOthers(step) ?? step),
      signal,
      parts?.answers,
    );
    if (outcome.kind !== "exported") throw failures.failureOfOutcome(outcome);
    const { bytes, sha256, pageCount, pagesMade, pageMs, findings } = outcome;
    await exporting.end();
    cache.onExported();
    if ((await ownFileSize(folders.archive)) !== bytes)
      throw failures.ourBug("The export process produced something other than the archive that it reported.");
    deps.observer.pagesRendered?.(pageMs);
    const counts = `errors: ${findings.errors}, warnings: ${findings.warnings}`;
    await record.add("info", `The site was exported (pages: ${pageCount}, rendered: ${pagesMade}, ${counts}).`);
    const index = await makeIndex(job, folders, record, deps, signal);
    return { archive: folders.archive, index, bytes, sha256, pageCount, findings };
  } finally {
    parts?.close();
    await exporting.end();
    await cache.close();
    await source.remove();
  }
}

/** Opens the files of a site, a repository with a credential of its organization. */
export async function openSite(
  { organizationId, source }: Project,
  { version }: Job,
  folders: ExportFolders,
  { openSource, store: { credentials }, cacheFolder }: JobDeps,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const credential =
    source.kind === "git" ? await credentials.forReading(organizationId, source.url, signal) : undefined;
  const options = { version, workFolder: folders.source, cacheFolder: join(cacheFolder, "git"), signal };
  try {
    return await openSource(source, { ...options, credential });
  } catch (error) {
    if (!(error instanceof SourceFault) || error.retry || error.ofWorker || credential || source.kind !== "git")
      throw error;
    const command = await credentials.addCommand(organizationId, source.url);
    const message = `${error.message} The organization has no credential for it. If the repository is private, add one: ${command}`;
    throw new SourceFault(message, false, { cause: error.cause });
  }
}

/** Makes the index from which the assistant answers. A part of a site does not replace the index of the whole. */
async function makeIndex(
  { jobId, domain, paths }: Job,
  { root, archive }: ExportFolders,
  record: JobRecord,
  { log }: JobDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (paths !== undefined) return undefined;
  const index = join(root, "index");
  try {
    const { writeIndex } = await import("../assistant/retrieval/write-index.js");
    await writeIndex(archive, index, `https://${domain}`, signal);
    return index;
  } catch (error) {
    signal.throwIfAborted();
    if (systemErrorCode(error) !== undefined)
      throw failures.environmentFailure("The worker cannot write to its disk.", error);
    log("warn", "failed to create the index of a bundle", { jobId, domain, error: String(error) });
    await record.add("warning", "The assistant cannot answer from this export: its index could not be created.");
    return undefined;
  }
}

/** Uploads the bundle and completes the job. Removes the bundle if the lease was lost in the meantime. */
async function publish(
  lease: Lease,
  held: HeldLease,
  built: BuiltBundle,
  record: JobRecord,
  { store, log }: JobDeps,
): Promise<void> {
  const { jobId } = lease.job;
  const objectKey = bundleKey(jobId, lease.fence);
  const { archive, index, bytes, sha256, pageCount } = built;
  const objectKeys = [objectKey, indexKey(jobId, lease.fence)];
  try {
    await store.objects.put(objectKey, archive, "application/gzip", held.signal);
    if (index !== undefined) await store.objects.put(objectKeys[1]!, index, "application/octet-stream", held.signal);
  } catch (error) {
    held.signal.throwIfAborted();
    throw failures.environmentFailure("The bundle could not be stored.", error);
  }
  await record.add("info", `The bundle was stored (${bytes} bytes).`);
  const report = await record.report(built.findings);
  const isPublished = await persist(
    // The answer of an earlier call may have been lost.
    async () =>
      (await store.jobs.complete(lease, { objectKey, bytes, sha256 }, pageCount, report)) ||
      (await store.jobs.get(jobId))?.bundle?.objectKey === objectKey,
  ).catch(failures.onUnwrittenDatabase);
  if (isPublished) return;
  for (const key of objectKeys)
    await store.objects
      .remove(key)
      .catch(logFailure(log, "failed to remove an unused bundle", { jobId, objectKey: key }));
  throw new JobStop("lost");
}

interface SplitDeps {
  readonly store: { readonly jobs: JobStore; readonly shards: ShardStore };
  /** Number of pages to render from which other workers help; 0: never. */
  readonly splitAbove: number;
  readonly log: Log;
}

/** More parts than workers, so that a slower worker takes fewer of them. */
const partsPerWorker = 4;
const minPagesOfPart = 5;
/** Share of an export's progress that the pages take. */
const pagesShare = 74;
const waitMs = 250;

/**
 * Lets other workers help with a job. The job's own worker renders parts, too, and collects those that others have
 * rendered. If the database fails, it renders the rest alone. Undefined if nobody can help, since pages reach other
 * workers only through the shared cache.
 */
function splitJob(lease: Lease, signal: AbortSignal, cache: JobCache, deps: SplitDeps) {
  const { store, splitAbove, log } = deps;
  const { jobs, shards } = store;
  const { jobId } = lease.job;
  if (splitAbove === 0 || !cache.isShared) return undefined;
  let total = 0;
  let others = 0;

  const split = async (missing: number, pages: number): Promise<number | undefined> => {
    if (missing < splitAbove) return undefined;
    const { workers } = await jobs.counts();
    const count = Math.min(workers * partsPerWorker, Math.ceil(missing / minPagesOfPart));
    if (workers < 2 || count < 2 || !(await shards.split(lease, count))) return undefined;
    total = pages;
    void watch();
    log("info", "job split", { jobId, pages, missing, parts: count, workers });
    return count;
  };
  const next = async (): Promise<PagePart | undefined> => {
    for (;;) {
      signal.throwIfAborted();
      const step = await shards.next(lease);
      if (step.kind === "end") return undefined;
      if (step.kind === "make") return { index: step.index };
      if (step.kind === "made") return { index: step.index, files: await cache.fetchLater() };
      await sleep(waitMs, undefined, { signal });
    }
  };
  const watch = async (): Promise<void> => {
    while (!signal.aborted && total > 0) {
      others = await shards.pagesOfOthers(jobId).catch(() => others);
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };

  const goOnAlone = (error: unknown): undefined => {
    signal.throwIfAborted();
    log("warn", "the job continues without other workers", { jobId, error: String(error) });
  };

  return {
    answers: {
      split: ({ missing, pages }) => split(missing, pages).catch(goOnAlone),
      "next part": () => next().catch(goOnAlone),
    } satisfies TaskAnswers,
    /** The progress of the job: the pages of this worker and those of the others. */
    withOthers: ({ progress, pageCount }: ExportStep): ExportStep =>
      total === 0
        ? { progress, pageCount }
        : {
            progress: progress + (pagesShare * Math.min(others, total - pageCount)) / total,
            pageCount: Math.min(total, pageCount + others),
          },
    close(): void {
      total = 0;
    },
  };
}
