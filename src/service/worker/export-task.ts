import type { AnalyticsOptions, AssistantOptions } from "../../export/index.js";
import { features } from "../../lib/deployments.js";
import type { Job, Project } from "../jobs/index.js";
import type { ExportFolders } from "./export-process.js";
import { nameInCache } from "./job-cache.js";
import type { ExportTask } from "./messages.js";

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
  audience,
  assistant: assistantOf(project, domain, deps),
  analytics: analyticsOf(project, domain, deps),
  cacheFolder: cache,
  cacheName: nameInCache,
  maxMemoryMb: deps.maxMemoryMb,
  concurrency: deps.pagesAtOnce,
});

const has = (deployment: Project["deployment"], feature: "assistant" | "analytics"): boolean =>
  features[feature].in[deployment].state !== "no";

const assistantOf = ({ deployment }: Project, domain: string, { assistant }: TaskDeps): AssistantOptions | undefined =>
  assistant && has(deployment, "assistant") ? { ...assistant, domain } : undefined;

/**
 * Pages send what the service would use: views if they are the way that counts people, and searches if the operator wants
 * them. Those of air-gapped projects send anything only if their owner has chosen that way.
 */
function analyticsOf({ deployment, counting }: Project, domain: string, { analytics }: TaskDeps) {
  const countsViews = counting.humansFrom === "beacon";
  if (!analytics || !(countsViews || (analytics.searches && has(deployment, "analytics")))) return undefined;
  return { ...analytics, domain };
}

export interface TaskDeps {
  /** Resident memory at which an export's process gives up, in MiB. */
  readonly maxMemoryMb: number;
  /** Pages that one export renders at once; undefined: one per core. */
  readonly pagesAtOnce?: number;
  /** The assistant that the pages of exports ask; not those of air-gapped projects, which may not reach it. */
  readonly assistant?: Pick<AssistantOptions, "url" | "key">;
  /** The service that the pages of exports tell of their views. */
  readonly analytics?: Pick<AnalyticsOptions, "url" | "searches">;
}
