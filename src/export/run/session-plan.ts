import type { FileScan } from "../../site/discover/index.js";
import type { Site } from "../../site/site.js";
import type { PageThreadData } from "../pages/thread-messages.js";
import type { TrackedFiles } from "../store/source-files.js";
import { type BegunBundle, beginBundle } from "./begin-bundle.js";
import type { LoadedSite } from "./load-site.js";
import { createSiteIslands } from "./make-pages.js";
import { openSite, readSite } from "./read-site.js";
import type { ExportRun } from "./start-run.js";

/** By what the pages of a session are made, until the site has another plan. */
export interface SessionPlan {
  readonly site: Site;
  readonly files: TrackedFiles;
  readonly bundle: BegunBundle;
  readonly data: PageThreadData;
  readonly islands: ReturnType<typeof createSiteIslands>;
  /** Last names, without extension, of what files of the site import. */
  readonly importNames: ReadonlySet<string>;
}

/** Reads the site. `plan` is undefined if there is no site, no configuration that can be read, or no page. */
export async function planSession(
  run: ExportRun,
  scans: Map<string, FileScan>,
): Promise<Pick<LoadedSite, "files" | "diagnostics"> & { readonly plan?: SessionPlan }> {
  const { site, files, diagnostics } = await readSite(run, openSite(run), { scans, drafts: true });
  if (!site) return { files, diagnostics };
  // Static files are copied when somebody asks for them.
  const bundle = await beginBundle(run, site, files, []);
  const islands = createSiteIslands({ ...run, onClose: () => {} }, bundle);
  const { folder, scratch } = run.staging!;
  const { cacheFolder, parser } = run.settings;
  const otherFiles = [
    ...[...bundle.files, ...bundle.outputs].map((file) => file.path),
    ...site.staticFiles,
    ...bundle.printed.map((section) => section.outputPath),
    ...Object.values(bundle.assets.parts),
    "404.html",
  ];
  const data: PageThreadData = {
    site,
    root: files.root,
    sourcePaths: files.paths,
    assets: bundle.assets,
    otherFiles,
    staging: folder,
    scratch,
    features: run.features,
    parser,
    ...(bundle.baseUrl !== undefined && { baseUrl: bundle.baseUrl }),
    ...(cacheFolder !== undefined && { cacheFolder }),
  };
  const written = [...scans.values()].flatMap(({ imports, snippetFiles }) => [...imports, ...snippetFiles]);
  const importNames = new Set(written.map(importNameOf));
  return {
    files,
    diagnostics: [...diagnostics, ...bundle.diagnostics],
    plan: { site, files, bundle, data, islands, importNames },
  };
}

/** `install` of `/snippets/install.mdx`. */
export const importNameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
