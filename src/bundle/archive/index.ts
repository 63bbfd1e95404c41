/** Archive: the files of a bundle in; a folder that appears at once, its manifest, and a .zip or .tar.gz of it out. */
export type { BundleFile } from "./bundle-file.js";
export { bundlePath, createBundleWriter, type FileContent, writeBundleStream } from "./bundle-writer.js";
export { type ArchiveFormat, type ArchiveResult, archiveFormatOf, createArchive } from "./create-archive.js";
export { createManifest, type Manifest, manifestName, printManifest } from "./manifest.js";
export { OutputNotOursError, openStaging, type Staging } from "./staging.js";
export { makeFolders } from "./work-folder.js";
