import { folderOf } from "../../lib/url/index.js";

/**
 * Chooses the sidebar of an unlisted page: that of the first listed page in its folder or the nearest folder above;
 * `fallback` if only the site folder itself remains.
 *
 * @param listed in the order of the navigation.
 */
export function createDivisionGuess(
  listed: readonly { readonly sourcePath: string; readonly division: number }[],
  fallback: number,
): (sourcePath: string) => number {
  const divisions = new Map<string, number>();
  for (const { sourcePath, division } of listed)
    for (let folder = folderOf(sourcePath); folder !== "" && !divisions.has(folder); folder = folderOf(folder))
      divisions.set(folder, division);
  return (sourcePath) => {
    for (let folder = folderOf(sourcePath); folder !== ""; folder = folderOf(folder)) {
      const division = divisions.get(folder);
      if (division !== undefined) return division;
    }
    return fallback;
  };
}
