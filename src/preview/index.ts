/**
 * In:  the folder of a site.
 * Out: a web server on this machine that makes pages when they are asked for, watches the folder, and tells open pages to
 *      reload. Nothing is written but a temporary folder.
 */

export type { PreviewEvent } from "./open-preview.js";
export { openPreview, type Preview, type PreviewOptions, previewHost } from "./open-preview.js";
export { isLoopback } from "./preview-server.js";
