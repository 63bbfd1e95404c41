/** Paths of files and pages, relative to the site's root, without a leading slash. */

/** The folder of a file, `""` for the site folder itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Resolves a path typed in a file of `folder`: no `.`, `..` and empty names; never above the root. */
export function joinPath(folder: string, path: string): string {
  const names: string[] = folder === "" ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}
