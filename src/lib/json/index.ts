/**
 * In:  what was read from JSON or YAML, whatever it is.
 * Out: what stands there, and only what stands there, as what was asked for; undefined for all else.
 *
 * Stands below the stages: knows no document.
 */

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
export type { Json, JsonObject } from "./json.js";
export { nameOfStep, pathOf, pointerTo, unescapedStep } from "./json-pointer.js";
export { shortJson } from "./short-json.js";
