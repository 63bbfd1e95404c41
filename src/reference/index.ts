/**
 * In:  a specification, and the part of it that a page is about.
 * Out: the page's content as a tree of the content stage (Markdown nodes, and components with their properties), so
 *      that everything made from pages (HTML, Markdown, search, outlines, link checks) includes it.
 *
 * Steps: operation, schema or channel -> its parts -> one outline of all their schemas, opened level by level until the
 * page is full -> nodes. For any specification nothing here runs code from it, recurses without a limit, or throws.
 */
export {
  createReference,
  type Reference,
  type ReferenceContent,
  type ReferenceOptions,
  type ReferencePage,
} from "./create-reference.js";
export { publishedDocument } from "./downloads/published-document.js";
export type { PlaygroundAssets, PlaygroundParts, ReferenceFile } from "./forms/playground.js";
export { specKinds } from "./kinds.js";
export { sampleLanguage, sampleLanguages } from "./samples/languages/index.js";
