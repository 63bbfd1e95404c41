import {
  childOf,
  has,
  type Json,
  type JsonObject,
  nameOfStep,
  pointerTo,
  unescapedStep,
} from "../../lib/json/index.js";

/** The most references that are followed to one value. A longer chain is a loop, or would take too long. */
const maxHops = 64;
/** The most steps of a pointer, more than any document is deep. */
const maxSteps = 1000;

/** The steps of a pointer, still escaped; undefined for text that is not a pointer of this document. */
export function pointerSteps(pointer: string): readonly string[] | undefined {
  const path = pointer.startsWith("#") ? pointer.slice(1) : pointer;
  if (path === "") return [];
  if (!path.startsWith("/")) return undefined;
  const steps = path.slice(1).split("/");
  return steps.length > maxSteps ? undefined : steps;
}

/** The pointer of a part of the value at another pointer. */
export const below = (pointer: string, ...steps: readonly (string | number)[]): string =>
  pointer + pointerTo(...steps).slice(1);

/** The name in `value` for an escaped step, if any. A `%` may be unencoded, since writers forget to encode it. */
export const nameIn = (value: Json, step: string): string | undefined =>
  [nameOfStep(step), unescapedStep(step)].find((name) => has(value, name));

/**
 * Finds the value of a pointer. A reference at the end stays a reference. One on the way is followed unless the next step is
 * a member next to it.
 */
export function resolvePointer(document: JsonObject, pointer: string): Json | undefined {
  let hops = 0;
  const walk = (written: string): Json | undefined => {
    const steps = pointerSteps(written);
    if (steps === undefined) return undefined;
    let value: Json | undefined = document;
    for (const [i, step] of steps.entries()) {
      let name = value === undefined ? undefined : nameIn(value, step);
      while (name === undefined) {
        const reference = childOf(value, "$ref");
        // Some generators forget to escape the slashes of a name.
        const rest = reference === undefined ? steps.slice(i).join("/") : step;
        if (rest !== step && value !== undefined && has(value, rest)) return childOf(value, rest);
        if (typeof reference !== "string" || !reference.startsWith("#") || ++hops > maxHops) return undefined;
        value = walk(reference);
        name = value === undefined ? undefined : nameIn(value, step);
        if (value === undefined) return undefined;
      }
      value = childOf(value, name);
    }
    return value;
  };
  return walk(pointer);
}
