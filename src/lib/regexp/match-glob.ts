/**
 * Whether a path fits a pattern: `**` is any number of folders, `*` any text within a name, `?` one character,
 * `{a,b}` one of two texts. A pattern without a slash only applies to the file's name. The time is bounded by the product of both lengths.
 */
export const matchGlob = (pattern: string, path: string): boolean =>
  alternatives(pattern).some((alternative) => fitsPattern(alternative, path));

const maxAlternatives = 100;

/** Expands `a{b,c}` to `ab` and `ac`. Nested braces, and more alternatives than the limit, stay text. */
function alternatives(pattern: string): readonly string[] {
  let all = [pattern];
  for (;;) {
    const next = all.flatMap((text) => {
      const [group, names = ""] = /\{([^{}]*,[^{}]*)\}/.exec(text) ?? [];
      return group === undefined ? [text] : names.split(",").map((name) => text.replace(group, () => name));
    });
    if (next.length === all.length || next.length > maxAlternatives) return all;
    all = next;
  }
}

function fitsPattern(pattern: string, path: string): boolean {
  const names = pattern.includes("/") ? pattern.replace(/^\.?\//, "").split("/") : ["**", pattern];
  return fits(names, path.split("/"), "**", (name, segment) =>
    fits([...name], [...segment], "*", (character, other) => character === "?" || character === other),
  );
}

/** A star matches any number of items, as few as possible. */
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
  return pattern.slice(part).every((name) => name === star);
}

/** A pattern that matches exactly `text`. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
