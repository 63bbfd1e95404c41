/**
 * Whether a path fits a pattern: `**` is any number of folders, `*` any text within a name, `?` one character. A pattern
 * without a slash is about the file's name alone. The time is bounded by the product of both lengths.
 */
export function matchGlob(pattern: string, path: string): boolean {
  const names = pattern.includes("/") ? pattern.replace(/^\.?\//, "").split("/") : ["**", pattern];
  return fits(names, path.split("/"), "**", (name, segment) =>
    fits([...name], [...segment], "*", (character, other) => character === "?" || character === other),
  );
}

/** A star takes any number of items, the fewest that work. */
function fits(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  isMatch: (part: string, item: string) => boolean,
): boolean {
  let [part, item, lastStar, taken] = [0, 0, -1, 0];
  while (item < items.length) {
    if (pattern[part] === star) {
      lastStar = part++;
      taken = item;
    } else if (part < pattern.length && isMatch(pattern[part]!, items[item]!)) {
      part++;
      item++;
    } else if (lastStar >= 0) {
      part = lastStar + 1;
      item = ++taken;
    } else return false;
  }
  return pattern.slice(part).every((each) => each === star);
}
