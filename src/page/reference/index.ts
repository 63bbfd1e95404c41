/**
 * In:  a specification as `specs/` reads it, and what of it a page is about.
 * Out: the page's content, as a tree of the content stage: Markdown nodes and components with their properties. So
 *      everything that is made of pages (HTML, Markdown versions, search, outlines, link checks) is made of these too.
 *
 * The way: operation, schema or channel -> its parts -> one outline of all their schemas, opened level by level until
 * the page is full -> nodes. Whatever a specification holds, nothing here runs it, recurses into it without a limit, or
 * throws.
 */
export {
  createReference,
  type Reference,
  type ReferenceContent,
  type ReferenceOptions,
  type ReferencePage,
} from "./create-reference.js";
export type { PlaygroundAssets, ReferenceFile } from "./playground/playground.js";
export { sampleLanguage, sampleLanguages } from "./samples/index.js";
