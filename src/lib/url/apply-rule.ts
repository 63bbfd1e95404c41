/** Follows one redirect. Imports nothing, since browsers do it too: on the page for unknown addresses. */

/** What a destination says: an address elsewhere, or a path with its query and fragment. */
export type Leading =
  | { readonly kind: "external"; readonly url: string }
  | { readonly kind: "internal"; readonly path: string; readonly suffix: string };

export interface Pattern {
  readonly regex: RegExp;
  /** Names of the captures in order; `*` for one without a name. */
  readonly names: readonly string[];
}

interface Rule<D extends Leading> {
  readonly source: string;
  readonly destination: D;
  /** Of a wildcard rule. */
  readonly pattern?: Pattern;
}

/** Where a rule sends a path with a slash in front; undefined for a path that it does not take. */
export function applyRule<D extends Leading>({ source, destination, pattern }: Rule<D>, path: string): D | undefined {
  if (pattern === undefined) return path === source ? destination : undefined;
  const match = path.length > longestPath ? null : pattern.regex.exec(path);
  return match ? fill(destination, pattern.names, match.slice(1)) : undefined;
}

/** Matching takes the square of the length where there are two stars; no path of a site is longer. */
const longestPath = 2000;

/** Puts what a wildcard caught into the destination. */
function fill<D extends Leading>(destination: D, names: readonly string[], caught: readonly (string | undefined)[]): D {
  let star = 0;
  const stars = names.flatMap((name, i) => (name === "*" ? [caught[i] ?? ""] : []));
  const put = (text: string) =>
    text.replace(/:([A-Za-z_]\w*)[*+]?|\*/g, (whole, name: string | undefined) => {
      if (name === undefined) return stars[star++] ?? "";
      const at = names.indexOf(name);
      return at >= 0 ? (caught[at] ?? "") : name === "splat" ? (stars[0] ?? "") : whole;
    });
  if (destination.kind === "external") {
    const [, origin, rest] = /^(https?:\/\/[^/?#]*)(.*)$/s.exec(destination.url)!;
    return { ...destination, url: origin! + put(rest!) };
  }
  const path = put(destination.path).replace(/\/{2,}/g, "/");
  return { ...destination, path: path.length > 1 ? path.replace(/\/$/, "") : path, suffix: put(destination.suffix) };
}
