/**
 * What every page needs beside its HTML: scripts, style sheets, fonts, the site's own files. Runs once, in the main
 * thread, before the first page.
 *
 * In:  the `Site`, its files, and the folder that `scripts/build-client.js` filled.
 * Out: files in the bundle under names that hold a hash of their content, and the `AssetManifest` that names them.
 */
export { type AssetsOptions, type BuiltAssets, buildAssets, writeParts } from "./build-assets.js";
export { type CopiedFiles, copyStaticFiles } from "./static-files.js";
