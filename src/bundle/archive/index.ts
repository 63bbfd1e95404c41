/**
 * In:  the files of a bundle, one by one.
 * Out: a folder that replaces the previous one at once, its manifest, and a `.zip` or `.tar.gz` of it.
 */

export {
  bundlePath,
  createBundleWriter,
  type FileContent,
  type FilePart,
  readBundle,
  type WriteBundleFile,
  writeBundleStream,
} from "./bundle-writer.js";
export { type ArchiveResult, archiveFormatOf, createArchive } from "./create-archive.js";
export type { BundleFile } from "./manifest.js";
export {
  createManifest,
  type Manifest,
  type ManifestScope,
  manifestName,
  printManifest,
  publishedPaths,
} from "./manifest.js";
export { OutputNotOursError } from "./output-folder.js";
export { openStaging, type Staging } from "./staging.js";
export { type ArchiveEntry, type Meter, tarEntries } from "./tar-entries.js";
export { OutputReplacedError } from "./update-folder.js";
export { makeFolders } from "./work-folder.js";
