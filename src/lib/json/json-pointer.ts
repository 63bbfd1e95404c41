import { decodePercent } from "../url/index.js";

/** A reference to a value of the same document: `#/paths/~1users~1{id}/get`. */
export const pointerTo = (...steps: readonly (string | number)[]): string =>
  `#${steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25")}`).join("")}`;

/** The names on the way of a pointer. */
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
