/**
 * Href that leads from one file of the bundle to another, percent-encoded: `../images/a%20b.png`. It works from
 * `file://` and below any base path. It never starts with a slash or with what could be read as a scheme.
 */
export function relativeHref(fromOutputPath: string, toOutputPath: string): string {
  let shared = 0;
  const limit = Math.min(fromOutputPath.length, toOutputPath.length);
  for (let i = 0; i < limit && fromOutputPath.charCodeAt(i) === toOutputPath.charCodeAt(i); i++)
    if (fromOutputPath.charCodeAt(i) === slash) shared = i + 1;
  let up = "";
  for (let i = shared; i < fromOutputPath.length; i++) if (fromOutputPath.charCodeAt(i) === slash) up += "../";
  return up + encodePath(toOutputPath.slice(shared));
}

const slash = 47;

/** Every segment percent-encoded, the slashes kept. */
export const encodePath = (path: string): string =>
  /^[\w./~-]*$/.test(path) ? path : path.toWellFormed().split("/").map(encodeURIComponent).join("/");
