/** Answers of a language model: the prompt, the request, and what of the answer reaches the reader. */
export { estimateTokens } from "./estimate-tokens.js";
export { createModelAnswerer, type ModelAnswererDeps } from "./model-answerer.js";
export { type ModelOptions, modelDefaults } from "./model-options.js";
