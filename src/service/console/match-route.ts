import type { ConsoleRoute } from "./route.js";

export interface Match {
  readonly route: ConsoleRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The route of a path below `/console`; or the methods that the path has; undefined: there is no such path. */
export type FindRoute = (method: string, path: string) => Match | { readonly allow: readonly string[] } | undefined;

/** Finds routes by method and path. A path without parameters goes before one with them. */
export function createRouter(routes: readonly ConsoleRoute[]): FindRoute {
  const patterns = routes
    .map((route) => ({ route, pattern: patternOf(route.path) }))
    .sort((a, b) => Number(a.route.path.includes("{")) - Number(b.route.path.includes("{")));
  return (method, path) => {
    const found = patterns.flatMap(({ route, pattern }) => {
      const groups = pattern.exec(path)?.groups;
      return groups ? [{ route, params: { ...groups } }] : [];
    });
    if (found.length === 0) return undefined;
    const wanted = method === "HEAD" ? "GET" : method;
    return found.find(({ route }) => route.method === wanted) ?? { allow: found.map(({ route }) => route.method) };
  };
}

/** Parameters are identifiers of ours: other characters lead nowhere. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[\\w.:-]{1,200})")}(?<_>)$`);
