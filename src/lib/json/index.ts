/** Reads JSON and YAML values of unknown shape: the result is undefined if a value is missing or has another type. */

export { explainJson } from "./explain-json.js";
export * from "./json.js";
export * from "./json-pointer.js";
export { repairJson } from "./repair-json.js";
