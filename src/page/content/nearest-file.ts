import { nearestName } from "../../lib/diagnostic/index.js";
import { folderOf, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";

/** The file that a missing path probably means: the same name in another folder, or a similar name in the same one. */
export type NearestFile = (path: string) => string | undefined;

/** Names of a folder that one search compares, so that a mistake costs no more in a large folder. */
const mostCompared = 300;

/** The index is built on first use; the time of a search does not grow with the site. */
export function createNearestFile(files: Pick<SiteFiles, "paths">): NearestFile {
  let index: ReturnType<typeof indexOf> | undefined;
  return (path) => {
    const { paths } = files;
    index ??= indexOf(paths);
    const wanted = /\.[a-z]+$/i.test(path) ? path : `${path}.mdx`;
    const named = index.byName.get(nameOf(wanted).toLowerCase());
    if (named !== undefined) return named;
    const near = nearestName(nameOf(wanted), index.siblings.get(siblingKey(wanted)) ?? []);
    return near === undefined ? undefined : wanted.slice(0, wanted.lastIndexOf("/") + 1) + near;
  };
}

function indexOf(paths: readonly string[]) {
  /** Lower-case name -> the first path of that name. */
  const byName = new Map<string, string>();
  /** The first names of each folder and extension. */
  const siblings = new Map<string, string[]>();
  for (const path of paths) {
    const name = nameOf(path);
    if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), path);
    const names = siblings.get(siblingKey(path));
    if (!names) siblings.set(siblingKey(path), [name]);
    else if (names.length < mostCompared) names.push(name);
  }
  return { byName, siblings };
}

/** Folder and extension. */
const siblingKey = (path: string): string => `${folderOf(path)}/${/\.[a-z]+$/i.exec(path)?.[0].toLowerCase() ?? ""}`;
