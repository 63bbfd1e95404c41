/**
 * The methods that a path takes, sorted; none if there is no such route.
 *
 * @param routes as hono lists them; those for every path are middleware.
 */
export function allowedMethods(
  routes: readonly { readonly method: string; readonly path: string }[],
  path: string,
): string[] {
  const methods = routes
    .filter((route) => route.method !== "ALL" && matches(route.path, path))
    .map(({ method }) => method);
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)].sort();
}

function matches(template: string, path: string): boolean {
  const wanted = template.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => (segment.startsWith(":") ? given[index] !== "" : segment === given[index]))
  );
}
