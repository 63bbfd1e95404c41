import { closest, distance } from "fastest-levenshtein";
import type { SiteFiles } from "../ports/site-files.js";

/** The file that was probably meant: the same name elsewhere, or the most similar path of the same kind. */
export function nearestFile(path: string, files: SiteFiles): string | undefined {
  const extension = /\.[a-z]+$/i.exec(path)?.[0].toLowerCase() ?? ".mdx";
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const similar = files.paths.filter((each) => each.toLowerCase().endsWith(extension));
  const named = similar.find((each) => each.slice(each.lastIndexOf("/") + 1).toLowerCase() === name);
  if (named !== undefined || similar.length === 0 || similar.length > 20_000 || path.length > 200) return named;
  const best = closest(path, similar);
  return distance(path, best) <= Math.max(2, path.length * 0.3) ? best : undefined;
}
