/**
 * In:  the files of a bundle, as pages and outputs are made.
 * Out: a folder that is replaced at once, its manifest, and a `.zip` or `.tar.gz` of it.
 */
export type { ArchiveEntry, Meter } from "./archive-entry.js";
export type { BundleFile } from "./bundle-file.js";
export {
  bundlePath,
  createBundleWriter,
  type FileContent,
  type FilePart,
  type WriteBundleFile,
  writeBundleStream,
} from "./bundle-writer.js";
export { type ArchiveFormat, type ArchiveResult, archiveFormatOf, createArchive } from "./create-archive.js";
export { createManifest, type Manifest, type ManifestScope, manifestName, printManifest } from "./manifest.js";
export { OutputNotOursError } from "./output-not-ours-error.js";
export { publishedPaths } from "./published-paths.js";
export { readBundle } from "./read-bundle.js";
export { openStaging, type Staging } from "./staging.js";
export { tarEntries } from "./tar-entries.js";
export { OutputReplacedError } from "./update-folder.js";
export { makeFolders } from "./work-folder.js";
