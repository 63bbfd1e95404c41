/**
 * The search of the bundle: an index for each language and version, split into small script files, so that a browser
 * loads only what a query needs, even from disk.
 *
 * In:  the plan and the sections of each page. Every page thread counts the words of its pages, writes records into its own
 *      file, and reports their locations; a record of an earlier export does as well.
 * Out: files under `_offprint/search/`, and `offprint-search.js`, which names them: see `index-format.ts`. The bytes do
 *      not depend on which thread renders which page.
 *
 * Memory does not grow with the number of pages: records and postings are kept in temporary files.
 */
export { sumOf } from "./codec.js";
export { findHits } from "./engine/engine.js";
export { type ExpandedTerm, expandTerm, synonymsIn } from "./engine/expand-term.js";
export { type FoundTerm, findWord } from "./engine/find-terms.js";
export { createIndexOpener, type IndexFiles } from "./engine/index-files.js";
export type { Hit } from "./engine/order-hits.js";
export { parseQuery, type QueryTerm } from "./engine/query.js";
export { isCommonWord, isEverydayWord, isPacked, isPair, type Synonyms } from "./engine/vocabulary.js";
export { openIndexCache } from "./index-cache.js";
export type { PagePart } from "./index-format.js";
export { createIndexer, createRecordFile, type RecordSource, type StoredRecord, searchHeadPath } from "./indexer.js";
export {
  createReaderQuestions,
  type PostJson,
  type QuestionModel,
  type QuestionUsage,
} from "./reader-questions.js";

export { type SearchScope, scopesFor, searchChoices, searchScopes } from "./scopes.js";
export { createRecorder } from "./search-record.js";
export { cutWords } from "./words.js";
