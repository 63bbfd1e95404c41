/**
 * In:  the plan of a site, and addresses as writers typed them in pages, snippets and settings.
 * Out: what each one means (`Target`): a page, a file, a place in the page itself, another site, nothing; and hrefs that
 *      lead there from a file of the bundle. Paths of imports, which mean files of the source, are looked up here too.
 *
 * Stands below the stages: knows of pages only their addresses, and reads no file.
 */

export { type Addresses, createAddresses } from "./addresses.js";
export { feedPathOf, siteFiles, markdownPathOf } from "./bundle-places.js";
export { type ImportTarget, resolveImport, resolveSnippetFile } from "./import-path.js";
export { createPageIndex, type PageIndex } from "./page-index.js";
export type { Destination, RedirectRule } from "./redirect-rule.js";
export { hrefOf, hrefWithSuffix, relativeHref, upToRoot } from "./relative-href.js";
export { createSimilarPaths, type SimilarPaths } from "./similar-paths.js";
export type { FoundTarget, MissingTarget, Origin, SiteTarget, Target } from "./target.js";
