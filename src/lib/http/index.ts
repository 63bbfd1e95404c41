/**
 * Bounds what clients may use of a server, and reads request headers: byte ranges, entity tags, preferred formats, the
 * client's address. All servers share this.
 */

export { addressMatcher, clientAddress, isAddressRange, networkOf } from "../client-address.js";
export { createBoundedServer, createUseLimit, notHttpMessage, readBody, type ServerLimits } from "./bounded-server.js";
export { type Encoding, encodingFor, namesTag, parseRange, wantsMarkdown } from "./request-headers.js";
