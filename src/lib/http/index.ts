/** Reads what requests say: byte ranges, cached copies, preferred formats, the client's network; the same way for all servers. */
export { type Encoding, encodingFor, wantsMarkdown } from "./accept.js";
export { type ByteRange, parseRange } from "./byte-range.js";
export { namesTag } from "./entity-tag.js";
export { networkOf } from "./network-of.js";
