/**
 * In:  headers of requests for parts of a file, or for what may not have changed.
 * Out: what they ask for, the same for whoever answers: the API, the folder of bundles, a served bundle.
 */
export { type ByteRange, parseRange } from "./byte-range.js";
export { namesTag } from "./entity-tag.js";
