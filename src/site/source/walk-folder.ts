import { type Dirent, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Diagnostic, errorOf } from "../../lib/diagnostic/index.js";
import { waitForFiles } from "../../lib/wait-for-files.js";
import type { IgnoreTest } from "./ignore-rules.js";

/** The most nested links to folders: enough for real sites, few enough for the walk to end. */
const maxLinkDepth = 4;

/**
 * Lists the regular files below `root` (a real path) that are not ignored, including those behind symbolic links whose target
 * is in `root`. Anything that cannot be part of a site is skipped with a diagnostic: links that are broken, circular or point
 * outside the folder, names that are not text, folders that cannot be read. The paths are relative to the folder, with `/`, and
 * sorted by code unit.
 */
export function walkFolder(root: string, ignored: IgnoreTest, maxFileCount: number) {
  const diagnostics: Diagnostic[] = [];
  const paths: string[] = [];
  const folders: Folder[] = [{ path: "", realPath: root, above: [] }];

  const add = (entry: Dirent, folder: Folder): void => {
    const path = folder.path + entry.name;
    const kind = entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";
    // Test a link as a file first, since it is not known yet whether its target is a folder.
    if (kind === "other" || ignored(kind === "folder" ? `${path}/` : path)) return;
    if (entry.name.search(unusable) >= 0) {
      diagnostics.push(nameUnusable(path));
      return;
    }
    if (kind === "file") {
      paths.push(path);
      return;
    }
    const target =
      kind === "link"
        ? followLink(path, root, folder, ignored)
        : { realPath: join(folder.realPath, entry.name), isFile: false };
    if ("code" in target) diagnostics.push(target);
    else if (target.isFile) paths.push(path);
    else if (kind === "folder" || !ignored(`${path}/`)) {
      const above = kind === "link" ? [...folder.above, folder.realPath] : folder.above;
      folders.push({ path: `${path}/`, realPath: target.realPath, above });
    }
  };
  // The list grows while it is iterated.
  for (const folder of folders) {
    if (paths.length > maxFileCount) break;
    for (const entry of listFolder(folder, diagnostics)) add(entry, folder);
  }
  return paths.length > maxFileCount
    ? { paths: [], diagnostics: [tooManyFiles(maxFileCount, paths)] }
    : { paths: paths.sort(), diagnostics };
}

interface Folder {
  /** "" for the root, otherwise ending in `/`. */
  readonly path: string;
  readonly realPath: string;
  /** Real paths of the folders that contain the links on the way here. */
  readonly above: readonly string[];
}

function listFolder(folder: Folder, diagnostics: Diagnostic[]): readonly Dirent[] {
  let entries: Dirent[];
  try {
    entries = waitForFiles(() => readdirSync(folder.realPath, { withFileTypes: true }));
  } catch (error) {
    diagnostics.push({
      ...errorOf("SOURCE_UNREADABLE"),
      what: `The folder ${folder.path || "."} cannot be read (${errorCode(error)}), so nothing in it is exported.`,
      location: { sourcePath: folder.path || "." },
      fix: "give the user who runs the export read and execute permission, or list the folder in .mintignore.",
    });
    return [];
  }
  // Skip a bundle that an earlier run has written into the site.
  const isOurBundle = folder.path !== "" && entries.some((entry) => entry.name === "_offprint" && entry.isDirectory());
  return isOurBundle ? [] : entries;
}

function followLink(
  path: string,
  root: string,
  folder: Folder,
  ignored: IgnoreTest,
): Diagnostic | { readonly realPath: string; readonly isFile: boolean } {
  const leftOut = (code: string, fault: string, fix: string): Diagnostic => {
    const what = `The symbolic link ${path} ${fault}, so it is left out.`;
    return { code, severity: "warning", what, location: { sourcePath: path }, fix };
  };
  let realPath: string;
  let isFile: boolean;
  try {
    realPath = realpathSync.native(join(root, path));
    const stats = statSync(realPath);
    isFile = stats.isFile();
    if (!isFile && !stats.isDirectory()) throw Object.assign(new Error(), { code: "neither a file nor a folder" });
  } catch (error) {
    const fault =
      errorCode(error) === "ENOENT"
        ? `points to "${readlinkSync(join(root, path))}", which does not exist`
        : `cannot be followed (${errorCode(error)})`;
    return leftOut("SOURCE_LINK_BROKEN", fault, "point it to a file or folder that exists, or delete it.");
  }
  if (!isInside(realPath, root))
    return leftOut("SOURCE_LINK_OUTSIDE", "points outside the site folder", "copy its target into the site folder.");
  if (isHidden(realPath, root, ignored)) {
    const fix = "copy its target, or re-include the hidden name in .mintignore with !.";
    return leftOut("SOURCE_LINK_PRIVATE", "points to a hidden file or folder, which may contain secrets", fix);
  }
  const containsLink = [folder.realPath, ...folder.above].some((above) => isInside(above, realPath));
  if (!isFile && (containsLink || folder.above.length >= maxLinkDepth)) {
    const fault = containsLink
      ? "points to a folder that contains the link"
      : `is nested inside ${maxLinkDepth} other links to folders`;
    return leftOut("SOURCE_LINK_LOOP", fault, "delete the link, or list it in .mintignore.");
  }
  return { realPath, isFile };
}

/**
 * Whether a path has a name that starts with a dot and that `.mintignore` does not re-include: `.git` and `.env` may contain
 * secrets, such as credentials of the machine that exports the site.
 */
function isHidden(realPath: string, root: string, ignored: IgnoreTest): boolean {
  const path = relative(root, realPath).split(sep).join("/");
  return /(?:^|\/)\./.test(path) && ignored(path);
}

/** Whether `path` is `folder` or below it; both are real paths. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Characters that no name may have: U+FFFD stands for invalid UTF-8, and a backslash is a separator on Windows. */
const unusable = /[\p{Cc}\ufffd\\]+/gu;

function nameUnusable(path: string): Diagnostic {
  const what = `The name ${JSON.stringify(path)} contains a control character, a backslash or bytes that are not UTF-8; it is left out.`;
  const fix = `rename it, for example to ${JSON.stringify(path.replace(unusable, "-"))}.`;
  return { code: "SOURCE_NAME_UNUSABLE", severity: "warning", what, location: { sourcePath: path }, fix };
}

function tooManyFiles(maxFileCount: number, paths: readonly string[]): Diagnostic {
  const byFolder = Map.groupBy(paths, (path) => path.slice(0, path.indexOf("/") + 1));
  const [largest] = [...byFolder].sort((a, b) => b[1].length - a[1].length).find(([folder]) => folder !== "") ?? [];
  const what = `The site folder has more than ${maxFileCount} files.`;
  const fix = `export the folder that contains docs.json, and list other files in .mintignore${largest === undefined ? "" : `: most are in "${largest}"`}.`;
  return { code: "SITE_TOO_LARGE", severity: "error", what, fix };
}

/** The system's code for an error, or else its message. */
export const errorCode = (error: unknown): string =>
  String((error as NodeJS.ErrnoException).code ?? (error as Error).message);
