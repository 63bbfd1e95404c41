import { realpath } from "node:fs/promises";
import type { AnalyticsOptions, AssistantOptions } from "../../export/index.js";
import { features } from "../../lib/deployments.js";
import type { Job, Project } from "../jobs/index.js";
import type { ExportFolders } from "./export-process.js";
import { nameInCache } from "./job-cache.js";
import type { ExportTask } from "./messages.js";

/** The folder of a site that is not in a repository; undefined if it does not exist. */
export const localFolder = async ({ source }: Project): Promise<string | undefined> =>
  source.kind === "folder" ? realpath(source.path).catch(() => undefined) : undefined;

/** The export of a job, or of a part of it, whose pages are the same. @param source real folder of the site. */
export const taskOf = (
  { domain, paths, audience }: Job,
  project: Project,
  source: string,
  { archive, cache }: ExportFolders,
  deps: TaskDeps,
): ExportTask => ({
  source,
  archive,
  deployment: project.deployment,
  fallbackBaseUrl: `https://${domain}`,
  paths,
  requirePaths: true,
  audience,
  assistant: deps.assistant && hasFeature(project, "assistant") ? { ...deps.assistant, domain } : undefined,
  analytics: analyticsOf(project, domain, deps),
  cacheFolder: cache,
  cacheName: nameInCache,
  maxMemoryMb: deps.maxMemoryMb,
  concurrency: deps.pagesAtOnce ?? "work",
});

const hasFeature = ({ deployment }: Project, feature: "assistant" | "analytics"): boolean =>
  features[feature].in[deployment].state !== "no";

/**
 * Pages send only what the service uses: views if people are counted by the beacon, and searches if the operator wants
 * them. Pages of air-gapped projects send nothing unless the owner has chosen the beacon.
 */
function analyticsOf(project: Project, domain: string, { analytics }: TaskDeps) {
  const countsViews = project.counting.humansFrom === "beacon";
  if (!analytics || !(countsViews || (analytics.searches && hasFeature(project, "analytics")))) return undefined;
  return { ...analytics, domain };
}

export interface TaskDeps {
  /** Resident memory at which an export's process gives up, in MiB. */
  readonly maxMemoryMb: number;
  /** Pages that one export renders at once. Default: another thread starts only where it costs little processor time. */
  readonly pagesAtOnce?: number;
  /** The assistant of the exported pages. Pages of air-gapped projects get none. */
  readonly assistant?: Pick<AssistantOptions, "url" | "key">;
  /** The service to which the exported pages send their views. */
  readonly analytics?: Pick<AnalyticsOptions, "url" | "searches">;
}
