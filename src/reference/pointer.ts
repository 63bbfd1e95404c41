/** JSON pointers as references write them: `#/paths/~1users/get`. */
export const pointerTo = (...path: readonly string[]): string =>
  `#/${path.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;

/** The names that a pointer leads through. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .slice(pointer.indexOf("#") + 1)
    .split("/")
    .slice(1)
    .map((part) => decoded(part).replaceAll("~1", "/").replaceAll("~0", "~"));

/** A per cent sign that is none of an escape stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
