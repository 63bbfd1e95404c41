import { decodePercent } from "../url/index.js";
import { childOf, isObject, type Json, type JsonObject } from "./json.js";

/** A reference to a value of the same document: `#/paths/~1users~1{id}/get`. */
export const pointerTo = (...steps: readonly (string | number)[]): string =>
  `#${steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25")}`).join("")}`;

/** The names that a pointer consists of. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .slice(pointer.indexOf("#") + 1)
    .split("/")
    .slice(1)
    .map(nameOfStep);

/** The name in one step of a pointer, percent codes decoded. */
export const nameOfStep = (step: string): string => unescapedStep(decodePercent(step));

/** The name in one step without percent codes. */
export const unescapedStep = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

/** The longest chain of references that pages follow; a longer one counts as circular. */
export const longestChain = 50;

/** The target of a value's references; undefined if it does not exist, or they are circular. */
export function followReferences(
  value: Json | undefined,
  resolve: (pointer: string) => Json | undefined,
): Json | undefined {
  let at = value;
  for (let hop = 0; hop < longestChain; hop++) {
    const reference = childOf(at, "$ref");
    if (typeof reference !== "string") return at;
    at = resolve(reference);
  }
  return undefined;
}

/**
 * Follows references, too, but adds the members next to a reference to an object that it refers to, overriding the object's
 * members. Members next to an earlier reference override those next to a later one.
 */
export function followWithMembers(
  value: Json | undefined,
  resolve: (pointer: string) => Json | undefined,
): Json | undefined {
  let at = value;
  let beside: JsonObject = {};
  for (let hop = 0; hop < longestChain; hop++) {
    const reference = childOf(at, "$ref");
    if (typeof reference !== "string")
      return isObject(at) && Object.keys(beside).length > 0 ? { ...at, ...beside } : at;
    const { $ref: _, ...members } = at as JsonObject;
    beside = { ...members, ...beside };
    at = resolve(reference);
  }
  return undefined;
}
