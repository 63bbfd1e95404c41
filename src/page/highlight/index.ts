/**
 * In:  the text of a code block, its language and the options of its fence.
 * Out: the block as HTML, with classes for the colours of both modes, and the style rules of those classes.
 *
 * Uses Shiki's grammars and themes on a regular expression engine of our own (`engine/`).
 */
export { isCodeTheme } from "./code-theme.js";
export { type BlockGrounds, codeThemeCss } from "./code-theme-css.js";
export { type CodeOptions, createCode } from "./create-code.js";
export { parseFenceMeta } from "./fence.js";
