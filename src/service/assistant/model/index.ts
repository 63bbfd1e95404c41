/** Answers of a language model: the prompt, the request, and what of the answer reaches the reader. */

export { createModelAnswerer, type ModelAnswererDeps } from "./model-answerer.js";
export { type ModelOptions, modelDefaults } from "./model-options.js";
export { estimateTokens } from "./prompt.js";
