import type { Answerer } from "./answer.js";
import { gate, queryOf } from "./answer.js";
import { createModelAnswerer, type ModelOptions } from "./model/index.js";

/** Answers from a language model, or without one in the words of the documentation. */
export const createAnswerer = (model: ModelOptions | undefined, extractive: Answerer): Answerer =>
  model === undefined ? extractive : createModelAnswerer(model, { gate, queryOf, refusal: extractive });
