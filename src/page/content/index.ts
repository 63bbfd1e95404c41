/**
 * In:  the files of a site and its configuration; the path of one page.
 * Out: the page's tree (mdast), ready to render: front matter removed, snippets included, variables and expressions
 *      evaluated, formulas and heading anchors set. See `PageContent`.
 * No code of a page is ever run.
 */
export { type ContentOptions, type ContentReader, createContentReader } from "./content-reader.js";
export { type Parsed, parseExpression, parseModule } from "./estree.js";
export { type FieldLocation, fieldLocationOf } from "./field-location.js";
export { locationOfKey, type ParsedFrontmatter, parseFrontmatter } from "./frontmatter.js";
export { createFrontmatterParser } from "./frontmatter-variables.js";
export { nodeLocation } from "./location.js";
export { loadParsers, type MarkdownParsers } from "./markdown-parsers.js";
export type { ParseApart } from "./native-parser.js";
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
export { parseMarkdown } from "./parse-markdown.js";
export type { ParseOutcome } from "./parse-outcome.js";
export { parseToFile } from "./parse-to-file.js";
export { parserLimits } from "./parser-limits.js";
export type { MarkdownKind } from "./serialized-tree.js";
