/**
 * In:  TextMate grammars, and lines of code.
 * Out: where the style of each line changes, with the results of vscode-textmate; see README.md.
 */

export type { RuleStack } from "./rule-stack.js";
export { createEngine, TooManySearches } from "./scanner.js";
export { type Grammar, Tokenizer } from "./tokenizer.js";
