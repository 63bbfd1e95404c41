/**
 * In:  names on the way to a value in a JSON document, or a reference as it was written.
 * Out: the one in the form of the other: `#/paths/~1users~1{id}/get`.
 *
 * Stands below the stages: knows no document.
 */

/** A whole reference to a value of the same document. */
export const pointerTo = (...steps: readonly (string | number)[]): string =>
  `#${steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25")}`).join("")}`;

/** The names that a pointer leads through. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .slice(pointer.indexOf("#") + 1)
    .split("/")
    .slice(1)
    .map(nameOfStep);

/** The name that one escaped step of a pointer means. */
export const nameOfStep = (step: string): string => unescapedStep(decoded(step));

/** The same where the writer encoded no `%`. */
export const unescapedStep = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

/** A per cent sign that is none of an escape stands for itself. */
function decoded(step: string): string {
  if (!step.includes("%")) return step;
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
