import {
  type BundleFile,
  createManifest,
  type ManifestScope,
  manifestName,
  printManifest,
  readBundle,
} from "../../bundle/archive/index.js";
import type { SearchScope } from "../../bundle/search/index.js";
import { pruneCache } from "../../lib/cache/index.js";
import { languageTag } from "../../lib/language/index.js";
import { engineVersion } from "../../lib/package-root.js";
import type { ExportSuccess } from "../export-options.js";
import type { BegunBundle } from "./begin-bundle.js";
import type { ExportRun } from "./start-run.js";

/** The last step: writes the manifest, packs the archive, and replaces the previous bundle. Nothing for a check. */
export async function putInPlace(
  run: ExportRun,
  { site, write, assistant, analytics, baseUrl, scopes }: BegunBundle,
  files: readonly BundleFile[],
): Promise<Pick<ExportSuccess, "manifest" | "size" | "output" | "archive" | "files">> {
  const { settings, progress, timings, staging } = run;
  const { signal, cacheFolder, deployment } = settings;
  progress("archive", 0, 1);
  signal?.throwIfAborted();
  if (!staging) {
    progress("archive", 1, 1);
    return {};
  }
  const about = {
    engineVersion: engineVersion(),
    siteName: site.config.name,
    pageCount: site.pages.length,
    deployment,
    ...(site.audience && { audience: site.audience }),
    ...(assistant && { assistant: new URL(assistant.url).origin }),
    ...(analytics && { analytics: new URL(analytics.url).origin }),
    ...(baseUrl !== undefined && { address: { baseUrl, trailingSlash: site.config.seo.trailingSlash } }),
    ...(scopes.some(({ language, version }) => language ?? version) && { searchScopes: scopes.map(scopeOf) }),
  };
  const manifest = createManifest(about, uniqueFiles(files));
  write(manifestName, printManifest(manifest));
  const inPlace = await timings.measure("archive", async () => {
    const files = run.inMemory ? await readBundle(staging.folder, manifest, signal) : undefined;
    // An archive for another process has a new path each time.
    const archive = await staging.commit(signal, run.isForOther ? undefined : run.cache);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const size = { fileCount: manifest.files.length, bytes };
    return { manifest, size, ...(files && { files }), ...(archive && { archive }) };
  });
  if (cacheFolder !== undefined) await pruneCache(cacheFolder);
  progress("archive", 1, 1);
  return staging.target === undefined ? inPlace : { output: staging.target, ...inPlace };
}

const scopeOf = ({ language, version, isDefault }: SearchScope): ManifestScope => ({
  ...(language !== undefined && { language: languageTag(language) }),
  ...(version !== undefined && { version }),
  isDefault,
});

/** Several pages may contain the same diagram, and so write the same file. */
function uniqueFiles(files: readonly BundleFile[]): BundleFile[] {
  const byPath = new Map<string, BundleFile>();
  return files.filter((file) => {
    const before = byPath.get(file.path);
    if (!before) byPath.set(file.path, file);
    return before?.sha256 !== file.sha256;
  });
}
