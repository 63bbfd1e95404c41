/** The text as a pattern that stands for itself, but for `*`. */
export const escapedPattern = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");

/** `src/**\/{a,b}*.md` as a pattern. */
export const globPattern = (glob: string): RegExp =>
  new RegExp(
    `^${escapedPattern(glob)
      .replace(/\\\{([^{}]*)\\\}/g, (_, names: string) => `(?:${names.replaceAll(",", "|")})`)
      .replace(/\*\*\/?|\*/g, (sign) => (sign === "**" ? ".*" : sign === "*" ? "[^/]*" : "(?:.*/)?"))}$`,
  );
