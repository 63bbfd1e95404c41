/**
 * In:  the text of a code block, its language and the options of its fence.
 * Out: the block as HTML: coloured by class (one pass for both colour schemes), framed, marked; and, for the style
 *      sheet of all pages, the rules of those classes.
 *
 * Shiki's grammars and themes do the work, on a regular expression engine of our own (`engine/`).
 */
export { isCodeTheme } from "./code-theme.js";
export { codeThemeCss } from "./code-theme-css.js";
export { type CodeOptions, createCode } from "./create-code.js";
