import { isAbsolute, relative, resolve, sep } from "node:path";
import { compareDiagnostics, type Diagnostic } from "../lib/diagnostic/index.js";
import { createFrontmatterParser } from "../page/content/index.js";
import { loadConfig } from "../site/config/index.js";
import { discoverSite } from "../site/discover/index.js";
import type { Site } from "../site/site.js";
import type { SiteFiles } from "../site/source/index.js";
import { openFolder } from "../site/source/index.js";
import type { FetchText } from "../site/specs/index.js";

export interface LoadOptions {
  /** Folder that holds docs.json or mint.json. */
  readonly source: string;
  /** Only these pages, as URL paths or source paths. */
  readonly paths?: readonly string[];
  /** Files and folders that an export writes: no part of the site, even when they lie inside it. */
  readonly written?: readonly string[];
  /** Fetches specifications that the site names by their address; absent: nothing is fetched. */
  readonly fetchText?: FetchText;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface LoadedSite {
  /** The plan of the site; undefined if there is no folder, no configuration, or no page. */
  readonly site?: Site;
  readonly files: SiteFiles;
  /** All faults found so far, sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a site's configuration and front matter and plans its pages; renders nothing.
 *
 * Fails: faults of the site are `diagnostics`; a file that cannot be read is thrown.
 * Stops: once `signal` aborts, rejects with its reason.
 */
export async function loadSite(options: LoadOptions): Promise<LoadedSite> {
  const { source, paths, onProgress, signal } = options;
  const { files, diagnostics: opening } = openFolder(source, { ignore: ignoreWritten(source, options.written ?? []) });
  if (opening.some((each) => each.severity === "error")) return { files, diagnostics: opening };
  const { config, diagnostics: reading } = loadConfig(files);
  if (!config) return { files, diagnostics: [...opening, ...reading] };
  const { site, diagnostics: planning } = await discoverSite(config, files, {
    parseFrontmatter: createFrontmatterParser(config.variables),
    // Half of all sites have no specification.
    openSpecs: async () => (await import("../site/specs/index.js")).createSpecReader(files, options.fetchText),
    paths,
    onProgress,
    signal,
  });
  const diagnostics = [...opening, ...reading, ...planning].toSorted(compareDiagnostics);
  return { site: site.pages.length > 0 ? site : undefined, files, diagnostics };
}

/** Rules that keep an earlier bundle, and what killed runs left of one, out of the site. */
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
