/** Reads request headers for byte ranges and cached copies, the same way for all servers of the package. */
export { type ByteRange, parseRange } from "./byte-range.js";
export { namesTag } from "./entity-tag.js";
