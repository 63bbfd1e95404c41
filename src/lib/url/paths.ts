/** Paths of files and pages, from the site's root and without a slash in front. */

/** The folder a file stands in, `""` for the site folder itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** A path as typed in a file of `folder`, from the root: no `.`, `..` and empty names; nothing leads above the root. */
export function joinPath(folder: string, path: string): string {
  const names: string[] = folder === "" ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}
