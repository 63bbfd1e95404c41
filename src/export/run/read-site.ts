import { compareDiagnostics, type Diagnostic } from "../../lib/diagnostic/index.js";
import { groupsFault, sortedGroups } from "../../lib/group-names.js";
import { createFrontmatterParser } from "../../page/content/index.js";
import { loadConfig, partDefaults } from "../../site/config/index.js";
import { type DiscoverOptions, discoverSite } from "../../site/discover/index.js";
import type { Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { FetchText } from "../../site/specs/index.js";
import { InvalidOption } from "../export-options.js";
import type { PlanStore, SitePlan } from "../store/plan-store.js";
import { openSourceFolder, type Source, type TrackedFiles } from "../store/source-files.js";
import type { ExportRun } from "./start-run.js";

export interface LoadOptions {
  /** Folder that holds docs.json or mint.json; absolute, or relative to the working directory. */
  readonly source: string;
  /** Only these pages: URL paths (`/guides/install`) or source paths (`guides/install.mdx`). */
  readonly paths?: readonly string[] | undefined;
  /** Also pages with `draft: true`. Default: they are left out. */
  readonly drafts?: boolean | undefined;
  /** Groups of readers: pages and parts for other groups are left out. Default: those for any group are left out. */
  readonly audience?: readonly string[] | undefined;
  /** Files and folders that an export writes; they do not belong to the site, even inside its folder. */
  readonly written?: readonly string[] | undefined;
  /** Fetches the API specifications that the site names by URL. Default: nothing is fetched. */
  readonly fetchText?: FetchText | undefined;
  /** Called with the number of pages read so far and of all pages. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LoadedSite {
  /** The plan of the site: settings, pages, navigation. Undefined if there is no folder, no configuration or no page. */
  readonly site?: Site | undefined;
  /** The files of the site, without those that `.mintignore` and the built-in rules exclude. */
  readonly files: SiteFiles;
  /** Every error and warning found so far, sorted by file, line and column. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a site's configuration and the front matter of its pages, and plans the pages; renders nothing.
 *
 * Fails: mistakes in the site are `diagnostics`. A file that cannot be read throws an Error that names it.
 * Stops: once `signal` aborts, rejects with its reason.
 */
export const loadSite = async (options: LoadOptions): Promise<LoadedSite> =>
  findPlan(openSourceFolder(options.source, options.written), options);

interface ReadOptions extends Pick<DiscoverOptions, "drafts" | "scans"> {
  readonly planStore?: PlanStore | undefined;
}

/** Files and settings become the plan of the site. */
export function readSite(run: ExportRun, source: Source, options: ReadOptions = {}) {
  const { settings, progress } = run;
  const { paths, audience, features, signal } = settings;
  progress("read", 0, 1);
  const planOptions: PlanOptions = {
    paths,
    audience,
    fetchText: features.remoteSpecs ? run.environment.fetchText : undefined,
    onProgress: (done, total) => progress("read", done, total),
    signal,
    ...options,
  };
  return run.timings.measure("read", async () => {
    const loaded = await findPlan(source, planOptions);
    return { ...loaded, site: loaded.site && settings.print ? withPrint(loaded.site) : loaded.site };
  });
}

type PlanOptions = Omit<LoadOptions, "source" | "written"> & ReadOptions;

async function findPlan(source: Source, options: PlanOptions): Promise<LoadedSite & { readonly files: TrackedFiles }> {
  let files = source.openFiles();
  if (source.diagnostics.some(({ severity }) => severity === "error"))
    return { files, diagnostics: source.diagnostics };
  let plan = options.planStore?.find(files);
  if (!plan) {
    files = source.openFiles();
    plan = await makePlan(files, options);
  }
  const diagnostics = [...source.diagnostics, ...plan.diagnostics].toSorted(compareDiagnostics);
  return { site: plan.site, files, diagnostics };
}

async function makePlan(files: TrackedFiles, options: PlanOptions): Promise<SitePlan> {
  const { paths, drafts, audience, onProgress, signal, planStore, fetchText } = options;
  const { config, diagnostics: faults } = loadConfig(files);
  if (!config) return { site: undefined, diagnostics: faults };
  const begun = planStore?.begin(config.variables, files);
  let hasFetched = false;
  const fetchNoted: FetchText | undefined =
    fetchText &&
    ((...args) => {
      hasFetched = true;
      return fetchText(...args);
    });
  const { site, diagnostics } = await discoverSite(config, files, {
    parseFrontmatter: createFrontmatterParser(config.variables),
    // Load lazily: half of all sites have no specification.
    openSpecs: async () => (await import("../../site/specs/index.js")).createSpecReader(files, fetchNoted),
    paths,
    drafts,
    audience: resolveAudience(audience),
    onProgress,
    signal,
    scans: options.scans ?? begun?.scans,
  });
  const plan = { site: site.pages.length > 0 ? site : undefined, diagnostics: [...faults, ...diagnostics] };
  if (begun) planStore?.save(hasFetched ? undefined : plan, files, begun);
  return plan;
}

/**
 * The groups of readers that a bundle is for: sorted, each once; undefined for none.
 *
 * @throws {InvalidOption} if a name is empty, longer than 200 characters, has a comma, or is `*`; or for more than 100
 */
function resolveAudience(groups: readonly string[] = []): readonly string[] | undefined {
  const fault = groupsFault("audience", groups);
  if (fault !== undefined) throw new InvalidOption(fault);
  return groups.length === 0 ? undefined : sortedGroups(groups);
}

/** The site as if its docs.json had `contextual.print`. */
const withPrint = (site: Site): Site => {
  const contextual = { options: [], ...partDefaults.contextual, ...site.config.contextual, print: true };
  return { ...site, config: { ...site.config, contextual } };
};
