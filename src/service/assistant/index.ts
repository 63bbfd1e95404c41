/**
 * In:  a question about a site, and the index of its last export.
 * Out: an answer as a stream of events, and its text for the clients of both wires. Threads and limits are stored.
 */
export {
  type AnswerEvent,
  type Answerer,
  AnswerFailure,
  type Passage,
  type Question,
  type SearchRequest,
  type SiteFilter,
  type SiteIndex,
  type SiteIndexes,
  type Usage,
} from "./answer.js";
export { createAnswerer } from "./create-answerer.js";
export { createExtractiveAnswerer } from "./extractive.js";
export {
  type AssistantLimits,
  assistantLimitDefaults,
  createLimitCounter,
  type LimitCounter,
  type Refusal,
} from "./limits.js";
export { type AssistantMessage, quotedMessages, textOf, threadIdIn } from "./messages.js";
export type { ModelOptions } from "./model/index.js";
export { readThread } from "./read-thread.js";
export { createReply, type Reply, type ReplyDeps, type ReplyRequest } from "./reply.js";
export { createSiteIndexes } from "./retrieval/site-indexes.js";
export { defaultKeepAliveMs, streamText, type TextChunks } from "./stream-text.js";
export { createTurnWriter, type TurnWriter } from "./turn-writer.js";
export { isUlid } from "./ulid.js";
export { v1Wire } from "./wire/v1.js";
export { v2Wire } from "./wire/v2.js";
export { shownPath, type Wire } from "./wire/wire.js";
