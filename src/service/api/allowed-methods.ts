/**
 * The methods that a path accepts, sorted; empty if there is no such route.
 *
 * @param routes as listed by hono; routes for all paths are middleware.
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
  const expected = template.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length &&
    expected.every((segment, index) => (segment.startsWith(":") ? given[index] !== "" : segment === given[index]))
  );
}
