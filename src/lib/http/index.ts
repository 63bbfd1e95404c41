/**
 * Bounds what clients take of a server, and reads what requests say: byte ranges, cached copies, preferred formats, the
 * client's address; the same way for all servers.
 */

export { createBoundedServer, notHttpMessage, type ServerLimits } from "./bounded-server.js";
export { addressMatcher, clientAddress, isAddressRange, networkOf } from "./client-address.js";
export { createUseLimit, readBody } from "./request-bounds.js";
export { type Encoding, encodingFor, namesTag, parseRange, wantsMarkdown } from "./request-headers.js";
