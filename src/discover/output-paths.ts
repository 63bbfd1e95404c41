import { feedPathOf, siteFiles, twinPathOf } from "../address/index.js";
import type { Diagnostic } from "../diagnostic/diagnostic.js";
import { isStorable, markedPath } from "./portable-name.js";
import { isPageFile, outputPathOf, stemOf, urlPathOf } from "./url-path.js";

export interface Address {
  readonly urlPath: string;
  readonly outputPath: string;
}
export interface OutputPaths {
  /** By source path, in the order given; pages whose place was taken are missing. */
  readonly addresses: ReadonlyMap<string, Address>;
  readonly statics: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Gives every page its address and place in the bundle. Two files never get the same place, nor places that differ
 * only in case or in the form of their accents, since half of all systems would keep one of them: who comes first in
 * `pages` has it, then the static files in their order; the others are left out and reported.
 */
export function assignOutputPaths(pages: readonly string[], statics: readonly string[]): OutputPaths {
  const places = new Places();
  places.keep(siteFiles, "the bundle");
  const stems = new Set(pages.map(stemOf));
  const diagnostics: Diagnostic[] = [];
  const addresses = new Map<string, Address>();

  for (const sourcePath of pages) {
    const wanted = urlPathOf(sourcePath);
    const folderPage = besideFolder(sourcePath, stems);
    const urlPath = folderPage ? `${wanted}/index` : wanted;
    const portable = outputPathOf(urlPath);
    const outputPath = isOurs(portable) || (isStart(portable) && urlPath !== "/") ? markedPath(portable) : portable;
    const taken =
      places.claim(outputPath, sourcePath) ?? places.keep([twinPathOf(outputPath), feedPathOf(outputPath)], sourcePath);
    if (taken !== undefined) {
      diagnostics.push(pathTaken(sourcePath, outputPath, taken));
      continue;
    }
    addresses.set(sourcePath, { urlPath, outputPath });
    if (folderPage) diagnostics.push(indexBesidePage(sourcePath, wanted, urlPath));
    else if (outputPath !== portable) diagnostics.push(reserved(sourcePath, portable, outputPath));
    else if (outputPath !== `${urlPath.slice(1) || "index"}.html`)
      diagnostics.push(notPortable(sourcePath, `the page stands at ${outputPath}`));
  }

  const keptStatics: string[] = [];
  for (const sourcePath of statics) {
    const ours = isOurs(sourcePath) || (isStart(sourcePath) && !places.has(sourcePath));
    const storable = isStorable(sourcePath);
    const taken = ours || !storable ? undefined : places.claim(sourcePath, sourcePath);
    if (ours) diagnostics.push(reserved(sourcePath, sourcePath));
    // One such name keeps the whole archive from being unpacked on those systems; pages that ask for it are told too.
    else if (!storable) diagnostics.push(notPortable(sourcePath, "it is left out"));
    else if (taken !== undefined) diagnostics.push(pathTaken(sourcePath, sourcePath, taken));
    else keptStatics.push(sourcePath);
  }
  return { addresses, statics: keptStatics, diagnostics };
}

/** Which places of the bundle are taken, and by which source. */
class Places {
  readonly #files = new Map<string, string>();
  /** Folders that hold something, each with the first source that needed it. */
  readonly #folders = new Map<string, string>();
  /** Files that the bundle makes, as written, by folded path; a file of the site of the very same path goes before. */
  readonly #kept = new Map<string, { readonly path: string; readonly sourcePath: string }>();

  /** Sees to it that no folder, and no file of another case, takes these places; gives who has one as a folder already. */
  keep(paths: readonly string[], sourcePath: string): string | undefined {
    for (const path of paths) {
      const folded = fold(path);
      const taken = this.#folders.get(folded);
      if (taken !== undefined) return taken;
      if (!this.#kept.has(folded)) this.#kept.set(folded, { path, sourcePath });
    }
    return undefined;
  }

  has(path: string): boolean {
    return this.#files.has(fold(path));
  }

  /** Takes the place, or gives the source that has it already: as this file, or as a file where a folder must be, or as a folder. */
  claim(path: string, sourcePath: string): string | undefined {
    const folded = fold(path);
    const kept = this.#kept.get(folded);
    const taken =
      this.#files.get(folded) ?? this.#folders.get(folded) ?? (kept?.path === path ? undefined : kept?.sourcePath);
    if (taken !== undefined) return taken;
    const folders: string[] = [];
    for (let slash = folded.lastIndexOf("/"); slash > 0; slash = folded.lastIndexOf("/", slash - 1)) {
      const folder = folded.slice(0, slash);
      if (this.#folders.has(folder)) break;
      const file = this.#files.get(folder) ?? this.#kept.get(folder)?.sourcePath;
      if (file !== undefined) return file;
      folders.push(folder);
    }
    for (const folder of folders) this.#folders.set(folder, sourcePath);
    this.#files.set(folded, sourcePath);
    return undefined;
  }
}

/** Paths that some file system takes for the same have the same folded form. Upper case first: ß is SS, ſ is S. */
function fold(path: string): string {
  if (/^[ -~]*$/.test(path)) return path.toLowerCase();
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/** Places that the bundle needs itself. */
const isOurs = (path: string): boolean => /^(?:_offprint\/|404\.html$|offprint(?:\.json|-search\.js)$)/i.test(path);

/** The page at `/`, which the bundle makes itself where the site has none. */
const isStart = (path: string): boolean => fold(path) === "index.html";

/** True for `guides/index.mdx` where there is a `guides.mdx` too. */
const besideFolder = (sourcePath: string, stems: ReadonlySet<string>): boolean => {
  const stem = stemOf(sourcePath);
  return stem.endsWith("/index") && stems.has(stem.slice(0, -"/index".length));
};

function pathTaken(sourcePath: string, outputPath: string, taken: string): Diagnostic {
  return {
    code: "PATH_TAKEN",
    severity: "error",
    what: `${taken} and ${sourcePath} would both stand at ${outputPath}, or at paths that some systems take for the same; ${sourcePath} is left out.`,
    place: { sourcePath },
    fix: "rename one of the two files.",
  };
}

function indexBesidePage(sourcePath: string, wanted: string, urlPath: string): Diagnostic {
  return {
    code: "PATH_TAKEN",
    severity: "warning",
    what: `${sourcePath} would have the address ${wanted}, which belongs to another page; it stands at ${urlPath} instead.`,
    place: { sourcePath },
    fix: "rename one of the two files.",
  };
}

function reserved(sourcePath: string, wanted: string, outputPath?: string): Diagnostic {
  return {
    code: "PATH_RESERVED",
    severity: isPageFile(sourcePath) ? "warning" : "error",
    what: `${sourcePath} would stand at ${wanted}, which the bundle needs itself; it ${outputPath ? `stands at ${outputPath} instead` : "is left out"}.`,
    place: { sourcePath },
    fix: "rename the file.",
  };
}

function notPortable(sourcePath: string, consequence: string): Diagnostic {
  return {
    code: "NAME_NOT_PORTABLE",
    severity: "warning",
    what: `${sourcePath} has a name that not every system can store and serve; ${consequence}.`,
    place: { sourcePath },
    fix: "rename the file; letters, digits, -, _ and . are safe everywhere.",
  };
}
