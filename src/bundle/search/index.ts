/**
 * The search of the bundle: an index for each language and version, cut into small script files, so that a reader's
 * browser loads what a query needs and no more, from disk too.
 *
 * In:  in each page thread the plan and the sections of a page, of which a record goes into a file of the thread; when
 *      all pages are made, the places of their records.
 * Out: files under `_offprint/search/` and `offprint-search.js`, which names them: see `index-format.ts`. The same pages
 *      give the same bytes, whichever thread made which.
 *
 * Memory does not grow with the number of pages: what would, waits in files.
 */
export { createIndexer, type Indexer, type IndexerOptions, searchHeadPath } from "./indexer.js";
export type { RecordPlace } from "./record-file.js";
export { createRecorder, type Recorder } from "./recorder.js";
export { type SearchScope, scopesFor, searchScopes } from "./scopes.js";
