/**
 * In:  a folder with the site of another tool, or with plain Markdown.
 * Out: docs.json and pages in our dialect, as texts by path, the files to copy, and notes for the writer.
 */
export { type Conversion, convertSite } from "./convert-site.js";
export { lossOf, type Note } from "./project.js";
