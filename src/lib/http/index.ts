/**
 * Bounds what clients take of a server, and reads what requests say: byte ranges, cached copies, preferred formats, the
 * client's address; the same way for all servers.
 */
export { type Encoding, encodingFor, wantsMarkdown } from "./accept.js";
export { createBoundedServer, notHttpMessage, type ServerLimits } from "./bounded-server.js";
export { type ByteRange, parseRange } from "./byte-range.js";
export { addressMatcher, clientAddress, isAddressRange } from "./client-address.js";
export { namesTag } from "./entity-tag.js";
export { networkOf } from "./network-of.js";
