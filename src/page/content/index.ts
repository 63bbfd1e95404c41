/**
 * In:  the files of a site and its configuration; the path of one page.
 * Out: the page's tree (mdast), ready to render: front matter removed, snippets included, variables and expressions
 *      evaluated, formulas and heading anchors set. See `PageContent`.
 * No code of a page is ever run.
 */
export { type ContentOptions, createContentReader } from "./content-reader.js";
export { renamedTag } from "./expand/other-tools.js";
export { parseExpression, parseModule } from "./expressions/estree.js";
export { findFrontmatter, locationOfKey, parseFrontmatter } from "./frontmatter/frontmatter.js";
export { type FieldLocation, fieldLocationOf, nodeLocation } from "./location.js";
export type {
  Island,
  IslandSlot,
  JsxElement,
  JsxTree,
  MathBlock,
  MathText,
  ModelPage,
  PageContent,
  PageIslands,
  ParseError,
  PropValue,
} from "./page-content.js";
export type { ParseApart } from "./parse/markdown-parsers.js";
export { loadParsers, type MarkdownParsers } from "./parse/markdown-parsers.js";
export { parseMarkdown } from "./parse/parse-markdown.js";
export { parseToFile } from "./parse/parse-to-file.js";
export type { MarkdownKind, ParseOutcome } from "./parse/parser-limits.js";
export { readFormula } from "./parse/scan-source.js";
export { createFrontmatterParser } from "./variables.js";
