/**
 * In:  a specification, and the part of it that a page is about.
 * Out: the page's content as a tree of the content stage (Markdown nodes, and components with their properties), so
 *      that everything made from pages (HTML, Markdown, search, outlines, link checks) includes it.
 *
 * Steps: operation, schema or channel -> its sections -> one outline of all their schemas, opened level by level until the
 * page is full -> nodes. Whatever a specification holds, nothing here runs code from it, recurses without a limit or throws.
 *
 * Folders: one for each kind of specification (see `kinds.ts`), and what they share: `schema`, `operations`, `samples`,
 * `forms` (data of the playground), `pages`, `downloads`.
 */
export { createReference, type Reference, type ReferenceContent, type ReferencePage } from "./create-reference.js";
export { publishedDocument } from "./downloads/published-document.js";
export type { ReferenceFile } from "./forms/playground.js";
export { referenceKinds } from "./kinds.js";
