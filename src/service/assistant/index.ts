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
export { createExtractiveAnswerer } from "./extractive-answerer.js";
export {
  type AssistantLimits,
  assistantLimitDefaults,
  createLimitCounter,
  type LimitCounter,
  type Refusal,
} from "./limits.js";
export type { ModelOptions } from "./model/index.js";
export { createReply, type Reply, type ReplyDeps, type ReplyRequest } from "./reply.js";
export { createSiteIndexes } from "./retrieval/site-indexes.js";
export { shownPath, v1Wire, v2Wire, type Wire } from "./stream-formats.js";
export {
  type AssistantMessage,
  createTurnWriter,
  isUlid,
  quotedMessages,
  readThread,
  type TurnWriter,
  textOf,
  threadIdIn,
} from "./threads.js";
