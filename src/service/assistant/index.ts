/**
 * In:  a question about a site, and the index of its last export.
 * Out: an answer as a stream of events, written as text for each kind of client. Threads and limits are stored.
 */
export * from "./answer.js";
export { createExtractiveAnswerer } from "./extractive-answerer.js";
export * from "./limits.js";
export { createAnswerer } from "./model/model-answerer.js";
export type { ModelOptions } from "./model/open-model.js";
export * from "./reply.js";
export type { EmbeddingsOptions } from "./retrieval/embeddings.js";
export { createSiteIndexes, type SiteIndexes } from "./retrieval/site-indexes.js";
export * from "./stream-formats.js";
export * from "./threads.js";
