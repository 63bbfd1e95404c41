/**
 * What all pages need besides their HTML: scripts, style sheets, fonts, the site's own files. Runs once, in the main
 * thread, before the first page.
 *
 * In:  the `Site`, its files, and the folder that `scripts/build-client.js` filled.
 * Out: files of the bundle whose names contain a hash of their content, and the `AssetManifest` that lists them.
 */
export { type AssetsOptions, type BuiltAssets, buildAssets, writeParts } from "./build-assets.js";
export { createImports } from "./import-rule.js";
export { settingsUses } from "./named-files.js";
export { clientScripts, playgroundParts } from "./page-scripts.js";
export { readStyles, type StyleTexts } from "./site-code.js";
export { type CopiedFiles, copyStaticFiles } from "./static-files.js";
export { decodeSvg, sanitizeSvg, svgCleaned } from "./svg.js";
