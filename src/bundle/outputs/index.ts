/**
 * In:  the site; for each page its plan, content and source text; at the end the written Markdown versions.
 * Out: the text files of the bundle that are not HTML pages: for each page its Markdown version and feed; at the end
 *      llms.txt, llms-full.txt, sitemap, robots.txt, redirects and host files. Also the metadata of page heads.
 *
 * Nothing here writes to disk. A file of the site at the same path takes precedence.
 */
export { isPublicAddress, parseBaseUrl, resolveBaseUrl } from "./address.js";
export { createHeadMetadata, type HeadPage } from "./head-metadata.js";
export { type NotFoundPage, notFoundPage } from "./host-files.js";
export { publishedPages } from "./llms.js";
export type { TextPieces } from "./llms-full.js";
export {
  createPageOutputs,
  type OutputPaths,
  outputPathsOf,
  type PageOutputOptions,
  type PageOutputs,
  type TextFile,
} from "./page-outputs.js";
export { printedDocument } from "./printed-document.js";
export type { RedirectTarget } from "./redirect-files.js";
export { type SiteOutputOptions, type StreamedFile, siteOutputs } from "./site-outputs.js";
export { publishedTargets, type SpecDownloads, specDownloads } from "./spec-downloads.js";
