/**
 * In:  the plan of a site, and addresses as they are written in pages, snippets and settings.
 * Out: the `Target` of each: a page, a file, an anchor in the page itself, another site, nothing; and hrefs to it from a
 *      file of the bundle. Imports of source files are resolved here, too. No file is read.
 */

export { type Addresses, createAddresses } from "./addresses.js";
export {
  BundlePaths,
  bundlePathsOf,
  feedPathOf,
  freeFolder,
  isReserved,
  isUsedAtRoot,
  markdownPathOf,
  siteFiles,
} from "./bundle-paths.js";
export { createPageIndex, withoutExtension } from "./page-index.js";
export {
  causeOf,
  type Destination,
  missing as missingRedirectTarget,
  publish,
  type RedirectRule,
  whyLeftOut,
} from "./redirect-rule.js";

export { addImage, createSimilarPaths, newAddress } from "./similar-paths.js";
export {
  addFile,
  type EmbeddedFile,
  type EmbeddedFiles,
  embeddedKey,
  type FoundTarget,
  hrefOf,
  hrefWithSuffix,
  isLoadedAs,
  type LoadedKind,
  type MissingTarget,
  type Origin,
  relativeHref,
  resolveImport,
  resolveSnippetFile,
  type Target,
  upToRoot,
} from "./target.js";
