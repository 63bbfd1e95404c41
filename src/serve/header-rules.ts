/** Gives the headers that `_headers` sets for a path with a slash in front, the names in lower case. */
export type HeaderRules = (path: string) => ReadonlyMap<string, string>;

const mostRules = 1000;
/** Headers that describe the message: only the server sets them. */
const reserved = new Set(
  (
    "connection content-encoding content-length content-range date etag keep-alive location " +
    "set-cookie trailer transfer-encoding upgrade vary accept-ranges"
  ).split(" "),
);

/**
 * Reads `_headers`: a path, in which `*` matches anything, and below it indented lines of `Name: value`. Values of
 * several rules are joined by a comma; other lines are ignored, as hosts do.
 */
export function readHeaderRules(text: string): HeaderRules {
  const rules: { readonly pattern: RegExp; readonly headers: [name: string, value: string][] }[] = [];
  for (const line of text.split("\n")) {
    if (/^\/\S*\s*$/.test(line) && rules.length < mostRules)
      rules.push({ pattern: patternOf(line.trim()), headers: [] });
    const [, name, value] = /^\s+([\w-]+):\s*([\x20-\x7e]*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value && !reserved.has(name.toLowerCase()))
      rules.at(-1)?.headers.push([name.toLowerCase(), value]);
  }
  return (path) => {
    const found = new Map<string, string>();
    for (const { pattern, headers } of rules) {
      if (!pattern.test(path)) continue;
      for (const [name, value] of headers) {
        const before = found.get(name);
        found.set(name, before === undefined || name === "content-type" ? value : `${before}, ${value}`);
      }
    }
    return found;
  };
}

/** More stars could make a failing match slow. */
const mostStars = 3;

function patternOf(path: string): RegExp {
  const parts = path.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return parts.length > mostStars + 1 ? /^$/ : new RegExp(`^${parts.join(".*")}$`, "s");
}
