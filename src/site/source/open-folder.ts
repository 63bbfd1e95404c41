import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { attempt } from "../../lib/attempt.js";
import { type Diagnostic, errorOf, nearestName } from "../../lib/diagnostic/index.js";
import { waitForFiles } from "../../lib/wait-for-files.js";
import { ignoreTest } from "./ignore-rules.js";
import { type FileTexts, openListedFolder, type SiteFiles } from "./site-files.js";
import { errorCode, isInside, walkFolder } from "./walk-folder.js";

export interface OpenFolderOptions {
  /** Further rules in the syntax of .gitignore, such as `/out/` for the output folder of the export. */
  readonly ignore?: readonly string[];
  /** A folder with more files than this is refused. */
  readonly maxFileCount?: number;
  readonly texts?: FileTexts;
}

/**
 * Opens a site folder: lists its files once and reads only `.mintignore` and the settings. The list is empty if the folder
 * cannot be opened.
 *
 * Fails: a folder that is missing, unreadable or a file is the diagnostic `SITE_NOT_FOUND`; nothing is thrown.
 */
export function openFolder(
  folder: string,
  { ignore = [], maxFileCount = 1_000_000, texts = new Map() }: OpenFolderOptions = {},
): { readonly files: SiteFiles; readonly diagnostics: readonly Diagnostic[] } {
  let root: string;
  try {
    root = realpathSync.native(resolve(folder));
    if (!statSync(root).isDirectory())
      return notFound(folder, "is a file", `give its parent folder instead: ${dirname(folder)}`);
  } catch (error) {
    const reason = errorCode(error) === "ENOENT" ? "does not exist" : `cannot be opened (${errorCode(error)})`;
    return notFound(folder, reason, similarFolder(folder));
  }
  const mintignore = readMintignore(root);
  const ignored =
    typeof mintignore === "string"
      ? ignoreTest(mintignore, ignore, (name) => readSettings(root, texts, name))
      : mintignore;
  if (typeof ignored === "object") return { files: openListedFolder(root, []), diagnostics: [ignored] };
  const { paths, diagnostics } = walkFolder(root, ignored, maxFileCount);
  return { files: openListedFolder(root, paths, texts), diagnostics };
}

/** Suggests a folder next to a missing one: one with a similar name, or one that is a site. */
function similarFolder(folder: string): string {
  const around = dirname(resolve(folder));
  try {
    const names = readdirSync(around, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name);
    const near =
      nearestName(basename(resolve(folder)), names) ??
      names.find((name) => existsSync(join(around, name, "docs.json")));
    if (near !== undefined) return `write ${join(dirname(folder), near)}`;
  } catch {
    // The folder around it is missing as well.
  }
  return "give the folder that contains docs.json.";
}

function notFound(folder: string, reason: string, fix: string) {
  const fault: Diagnostic = { ...errorOf("SITE_NOT_FOUND"), what: `The site folder ${folder} ${reason}.`, fix };
  return { files: openListedFolder(resolve(folder), []), diagnostics: [fault] };
}

/** Reads `.mintignore`. If it cannot be read, that is an error: without its rules, private files would be published. */
function readMintignore(root: string): string | Diagnostic {
  const link = join(root, ".mintignore");
  try {
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) return "";
    const path = realpathSync.native(link);
    const stats = statSync(path);
    // A link could point to an endless device, or to the rules of another site.
    if (!isInside(path, root)) throw new Error("it is a symbolic link that points outside the site folder");
    if (!stats.isFile()) throw new Error("it is not a file");
    if (stats.size > maxMintignoreBytes) throw new Error("it is larger than 1 MB");
    return waitForFiles(() => readFileSync(path, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    const what = `The file .mintignore cannot be read (${errorCode(error)}), so the export cannot know which files are private.`;
    const fix = "make it readable for the user who runs the export, or delete it.";
    return { code: "SOURCE_UNREADABLE", severity: "error", what, location: { sourcePath: ".mintignore" }, fix };
  }
}

/** The text of a file of the settings; undefined if it cannot be read, which the reader of the settings reports. */
const readSettings = (root: string, texts: FileTexts, name: string): string | undefined =>
  attempt(() => {
    const path = realpathSync.native(join(root, name));
    if (!isInside(path, root) || !statSync(path).isFile()) return undefined;
    return texts.get(name) ?? readFileSync(path, "utf8");
  });

const maxMintignoreBytes = 1024 * 1024;
