/** Reads from JSON and YAML values of unknown shape: undefined where the value is missing or of another type. */

export { explainJson } from "./explain-json.js";
export type { Json, JsonObject } from "./json.js";
export {
  childOf,
  entriesAt,
  exceededBound,
  type Fields,
  fieldsOf,
  has,
  isContainer,
  isList,
  isObject,
  isRawNumber,
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
