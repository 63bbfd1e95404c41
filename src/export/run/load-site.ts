import { isAbsolute, relative, resolve, sep } from "node:path";
import { compareDiagnostics, type Diagnostic } from "../../lib/diagnostic/index.js";
import { createFrontmatterParser } from "../../page/content/index.js";
import { loadConfig } from "../../site/config/index.js";
import { type DiscoverOptions, discoverSite } from "../../site/discover/index.js";
import type { Site } from "../../site/site.js";
import { type OpenedFolder, openFolder, type SiteFiles } from "../../site/source/index.js";
import type { FetchText } from "../../site/specs/index.js";
import type { KnownPlan, SitePlan } from "../store/plan-store.js";
import { type TrackedFiles, trackReads } from "../store/source-files.js";
import { resolveAudience } from "./resolve-options.js";

export interface LoadOptions {
  /** Folder that holds docs.json or mint.json; absolute, or relative to the working directory. */
  readonly source: string;
  /** Only these pages: URL paths (`/guides/install`) or source paths (`guides/install.mdx`). */
  readonly paths?: readonly string[] | undefined;
  /** Also pages with `draft: true`. Default: they are left out. */
  readonly drafts?: boolean | undefined;
  /** Groups of readers: pages and parts for others are left out. Default: those for any group are. */
  readonly audience?: readonly string[] | undefined;
  /** Files and folders that an export writes; they do not belong to the site, even inside its folder. */
  readonly written?: readonly string[] | undefined;
  /** Fetches the API specifications that the site names by URL. Default: nothing is fetched. */
  readonly fetchText?: FetchText | undefined;
  /** Called with the number of pages read so far and of all pages. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface TrackedLoadOptions extends LoadOptions, Pick<DiscoverOptions, "scans"> {
  /** Hash the texts that are read. */
  readonly hashes?: boolean;
  readonly known?: KnownPlan | undefined;
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
export const loadSite = (options: LoadOptions): Promise<LoadedSite> => loadTrackedSite(options);

/** As `loadSite`; `files` also records which files have been read. @param scans see `ScanOptions` */
export async function loadTrackedSite(
  options: TrackedLoadOptions,
  opened: OpenedFolder = openSource(options.source, options.written ?? []),
): Promise<LoadedSite & { readonly files: TrackedFiles }> {
  const { known, hashes } = options;
  const openFiles = (): TrackedFiles => trackReads(opened.files, hashes);
  let files = openFiles();
  if (opened.diagnostics.some((each) => each.severity === "error")) return { files, diagnostics: opened.diagnostics };
  let plan = known?.find(files);
  if (!plan) {
    files = openFiles();
    plan = await planSite(files, options);
  }
  const diagnostics = [...opened.diagnostics, ...plan.diagnostics].toSorted(compareDiagnostics);
  return { site: plan.site, files, diagnostics };
}

async function planSite(files: TrackedFiles, options: TrackedLoadOptions): Promise<SitePlan> {
  const { paths, drafts, audience, onProgress, signal, known, fetchText } = options;
  const { config, diagnostics: reading } = loadConfig(files);
  if (!config) return { site: undefined, diagnostics: reading };
  const scans = known?.scans.begin(config.variables, files);
  let hasFetched = false;
  const fetchNoted: FetchText | undefined =
    fetchText &&
    ((...args) => {
      hasFetched = true;
      return fetchText(...args);
    });
  const { site, diagnostics: planning } = await discoverSite(config, files, {
    parseFrontmatter: createFrontmatterParser(config.variables),
    // Half of all sites have no specification.
    openSpecs: async () => (await import("../../site/specs/index.js")).createSpecReader(files, fetchNoted),
    paths,
    drafts,
    audience: resolveAudience(audience),
    onProgress,
    signal,
    scans: options.scans ?? scans,
  });
  const plan = { site: site.pages.length > 0 ? site : undefined, diagnostics: [...reading, ...planning] };
  if (scans && !hasFetched) known?.keep(plan, files, scans);
  return plan;
}

/** Opens the folder of a site, without the files and folders that an export writes. */
export const openSource = (source: string, written: readonly string[]): OpenedFolder =>
  openFolder(source, { ignore: ignoreWritten(source, written) });

/** Rules that keep earlier bundles, and the work folders of killed runs, out of the site. */
function ignoreWritten(source: string, written: readonly string[]): string[] {
  const inside = written
    .map((path) => relative(resolve(source), resolve(path)))
    .filter((path) => path !== "" && !path.startsWith("..") && !isAbsolute(path))
    .map(
      (path) =>
        `/${path
          .split(sep)
          .join("/")
          .replaceAll(/[\\*?[\]!#]/g, "\\$&")}`,
    );
  return [...inside, ".*.offprint-*/"];
}
