/** Follows one redirect. Imports nothing: the page for unknown addresses runs this in the browser. */

/** A destination: an address of another site, or a path with its query and fragment. */
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
  /** Set for a wildcard rule. */
  readonly pattern?: Pattern;
}

/** The destination to which a rule redirects a path with a leading slash; undefined if the rule does not match. */
export function applyRule<D extends Leading>({ source, destination, pattern }: Rule<D>, path: string): D | undefined {
  if (pattern === undefined) return path === source ? destination : undefined;
  const match = path.length > maxPathLength ? null : pattern.regex.exec(path);
  return match ? fill(destination, pattern.names, match.slice(1)) : undefined;
}

/** Longer paths match no wildcard, since two stars take time quadratic in the length. Paths of a site are shorter. */
const maxPathLength = 2000;

/** Fills the captures of a wildcard into the destination. */
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
