import type { UnsafeAddress } from "../../lib/url/index.js";
import { encodePath } from "../../lib/url/index.js";
import type { Target } from "./target.js";

/**
 * Relative href from one file of the bundle to another, percent-encoded: `../images/a%20b.png`. It works from `file://` and
 * below any base path. It never starts with a slash or with something that looks like a scheme.
 */
export function relativeHref(fromOutputPath: string, toOutputPath: string): string {
  let shared = 0;
  const limit = Math.min(fromOutputPath.length, toOutputPath.length);
  for (let i = 0; i < limit && fromOutputPath.charCodeAt(i) === toOutputPath.charCodeAt(i); i++)
    if (fromOutputPath.charCodeAt(i) === slash) shared = i + 1;
  return upToRoot(fromOutputPath.slice(shared)) + encodePath(toOutputPath.slice(shared));
}

const slash = 47;

/** `../` for every folder of a path: the way from the file to the root of the bundle. */
export function upToRoot(outputPath: string): string {
  let up = "";
  for (let at = outputPath.indexOf("/"); at >= 0; at = outputPath.indexOf("/", at + 1)) up += "../";
  return up;
}

/** `relativeHref` with a query and a fragment; an anchor in the file itself needs only the fragment. */
export const hrefWithSuffix = (fromOutputPath: string, toOutputPath: string, suffix: string): string =>
  fromOutputPath === toOutputPath && suffix.startsWith("#")
    ? suffix
    : relativeHref(fromOutputPath, toOutputPath) + suffix;

/** Href from a file of the bundle to a target; for a missing one, to the path that it would have. */
export function hrefOf(target: Exclude<Target, UnsafeAddress>, fromOutputPath: string): string {
  if (target.kind === "external") return target.url;
  if (target.kind === "self") return hrefWithSuffix(fromOutputPath, fromOutputPath, target.suffix || "#");
  return hrefWithSuffix(fromOutputPath, target.outputPath, target.suffix);
}
