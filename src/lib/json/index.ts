/** Reads from JSON and YAML values of unknown shape: undefined where the value is missing or of another type. */
export {
  childOf,
  entriesAt,
  has,
  isContainer,
  isList,
  isObject,
  isTrueAt,
  listAt,
  member,
  numberAt,
  textAt,
  textsAt,
} from "./access.js";
export { type Fields, fieldsOf } from "./fields.js";
export type { Json, JsonObject } from "./json.js";
export { exceededBound, type JsonBounds } from "./json-bounds.js";
export { jsonFault } from "./json-fault.js";
export { jsonLines } from "./json-lines.js";
export { nameOfStep, pathOf, pointerTo, unescapedStep } from "./json-pointer.js";
export { mendJson } from "./mend-json.js";
export { isRawNumber, numberOf, parseJson, stringify } from "./raw-number.js";
export { shortJson } from "./short-json.js";
