/** JSONPath (RFC 9535) with regular expressions that take a bounded time. */
export { type Located, nearestPath, newEffort, selectPath } from "./json-path.js";
export { JsonPathError, parseJsonPath } from "./parse-json-path.js";
