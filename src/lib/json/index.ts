/** Reads JSON and YAML values of unknown shape: the result is undefined if a value is missing or has another type. */

export { explainJson } from "./explain-json.js";
export type { Json, JsonObject } from "./json.js";
export {
  childOf,
  endOfString,
  entriesAt,
  exceededBound,
  type Fields,
  fieldsOf,
  has,
  isContainer,
  isList,
  isObject,
  isRawNumber,
  isRecord,
  isTrueAt,
  jsonLines,
  listAt,
  member,
  numberAt,
  numberOf,
  parseJson,
  shortJson,
  stringify,
  textAt,
  textsAt,
  valueOfJson,
} from "./json.js";
export {
  followReferences,
  followWithMembers,
  longestChain,
  nameOfStep,
  pathOf,
  pointerTo,
  unescapedStep,
} from "./json-pointer.js";
export { repairJson } from "./repair-json.js";
