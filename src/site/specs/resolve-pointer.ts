import {
  childOf,
  has,
  type Json,
  type JsonObject,
  nameOfStep,
  pointerTo,
  unescapedStep,
} from "../../lib/json/index.js";

/** More references than this on the way to one value are a loop, or would take too long. */
const maxHops = 64;
/** More steps than any document is deep. */
const maxSteps = 1000;

/** The steps of a pointer, still escaped; undefined for text that is not a pointer of this document. */
export function pointerSteps(pointer: string): readonly string[] | undefined {
  const path = pointer.startsWith("#") ? pointer.slice(1) : pointer;
  if (path === "") return [];
  if (!path.startsWith("/")) return undefined;
  const steps = path.slice(1).split("/");
  return steps.length > maxSteps ? undefined : steps;
}

/** The pointer of a part of what is at another pointer. */
export const below = (pointer: string, ...steps: readonly (string | number)[]): string =>
  pointer + pointerTo(...steps).slice(1);

/** The name in `value` for an escaped step, if any. Writers forget to encode `%`, so that is tried too. */
export const nameIn = (value: Json, step: string): string | undefined =>
  [nameOfStep(step), unescapedStep(step)].find((name) => has(value, name));

/**
 * Finds the value of a pointer. A reference at the end stays a reference; one on the way is followed if the next step is
 * not next to it.
 */
export function resolvePointer(document: JsonObject, pointer: string): Json | undefined {
  let hops = 0;
  const walk = (written: string): Json | undefined => {
    const steps = pointerSteps(written);
    if (steps === undefined) return undefined;
    let value: Json | undefined = document;
    for (const step of steps) {
      let name = value === undefined ? undefined : nameIn(value, step);
      while (name === undefined) {
        const reference = childOf(value, "$ref");
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
