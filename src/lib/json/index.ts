/** Reads from JSON and YAML values of unknown shape: undefined where the value is missing or of another type. */

export type { Json, JsonObject } from "./json.js";
export {
  childOf,
  entriesAt,
  type Fields,
  fieldsOf,
  has,
  isContainer,
  isList,
  isObject,
  isTrueAt,
  jsonLines,
  listAt,
  member,
  numberAt,
  shortJson,
  textAt,
  textsAt,
} from "./json.js";
export { jsonFault, nameOfStep, pathOf, pointerTo, unescapedStep } from "./json-pointer.js";
export { exceededBound, isRawNumber, type JsonBounds, numberOf, parseJson, stringify } from "./raw-number.js";
export { mendJson } from "./repair-json.js";
