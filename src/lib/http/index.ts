/**
 * Bounds what clients may use of a server, and reads request headers: byte ranges, entity tags, preferred formats, the
 * client's address. All servers share this.
 */

export { addressMatcher, clientAddress, isAddressRange, networkOf } from "../client-address.js";
export { createBoundedServer, notHttpMessage, type ServerLimits } from "./bounded-server.js";
export { createUseLimit, readBody } from "./request-bounds.js";
export { type Encoding, encodingFor, namesTag, parseRange, wantsMarkdown } from "./request-headers.js";
