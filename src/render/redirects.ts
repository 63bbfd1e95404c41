import type { Redirect } from "../config/site-config.js";

/** Where the site's redirects send a site path; undefined if none applies. */
export type RedirectFinder = (path: string) => string | undefined;

/**
 * Reads the redirects once. Exact sources are found at once; patterns (`/a/:slug*`, `/a/:page`, `/a/*`, `/a/b-*`) are
 * tried in the order written. In: a path with a leading slash, decoded, without query and fragment. Out: the
 * destination with captures filled in, as written otherwise: it may be another redirect's source.
 */
export function createRedirectFinder(redirects: readonly Redirect[]): RedirectFinder {
  const exact = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const { source, destination } of redirects) {
    const path = normal(source);
    if (/:[A-Za-z_]|\*/.test(path)) {
      if (path.split("*").length <= starLimit + 1) patterns.push(patternOf(path, destination));
    } else if (!exact.has(path)) exact.set(path, destination);
  }
  return (path) => {
    const destination = exact.get(path);
    if (destination !== undefined || path.length > pathLimit) return destination;
    return patterns.find((each) => each.matches(path))?.destinationOf(path);
  };
}

/** Stars in a row make matching slow; nobody needs more, and no path is longer. */
const starLimit = 3;
const pathLimit = 500;

interface Pattern {
  matches(path: string): boolean;
  destinationOf(path: string): string;
}

function patternOf(source: string, destination: string): Pattern {
  const names: string[] = [];
  const body = source.split(/(:[A-Za-z_]\w*\*?|\*)/).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    names.push(part.replace(/^:|\*$/g, ""));
    return part.startsWith(":") && !part.endsWith("*") ? "([^/]+)" : "(.*)";
  });
  const prefix = source.slice(0, source.search(/:[A-Za-z_]|\*/));
  // `/a/:slug*` is also found by `/a`, its capture being empty.
  const optionalTail = /\/(?::\w+)?\*$/.test(source);
  const expression = new RegExp(
    `^${optionalTail ? body.join("").replace(/\/\(\.\*\)$/, "(?:/(.*))?") : body.join("")}$`,
  );
  return {
    matches: (path) => (path.startsWith(prefix) || `${path}/` === prefix) && expression.test(path),
    destinationOf: (path) => {
      const captures = expression.exec(path)?.slice(1) ?? [];
      let star = 0;
      return destination
        .replace(/:([A-Za-z_]\w*)\*?|\*/g, (whole, name: string | undefined) => {
          if (name !== undefined) return names.includes(name) ? (captures[names.indexOf(name)] ?? "") : whole;
          while (star < names.length && names[star] !== "") star++;
          return captures[star++] ?? "";
        })
        .replace(/(.)\/+$/, "$1");
    },
  };
}

const normal = (source: string): string => {
  const path = (source.startsWith("/") ? source : `/${source}`).replace(/\/+$/, "");
  return path === "" ? "/" : path.normalize("NFC");
};
