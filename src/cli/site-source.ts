import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Conversion } from "../convert/index.js";
import type { Diagnostic } from "../index.js";
import { systemErrorCode } from "../lib/system-error.js";
import { UsageError } from "./environment.js";

/** The folder to read a site from. */
export interface SiteSource {
  readonly folder: string;
  /** One without docs.json was converted into that folder. */
  readonly conversion?: Conversion;
  /** A sentence about it, with the command that keeps it; else empty. */
  readonly hint: string;
  /** Converts again after a change; does nothing for a site of ours. */
  refresh(): void;
  /** The same findings with their places in the files of the writer. */
  placed(diagnostics: readonly Diagnostic[]): readonly Diagnostic[];
  close(): void;
}

/** A folder without docs.json, but with pages, becomes a site in a temporary folder. */
export async function openSiteSource(site: string): Promise<SiteSource> {
  const own: SiteSource = { folder: site, hint: "", refresh() {}, placed: (diagnostics) => diagnostics, close() {} };
  const isFolder = statSync(site, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder || ["docs.json", "mint.json"].some((name) => existsSync(join(site, name)))) return own;
  const { convertSite } = await import("../convert/index.js");
  const read = () => {
    const { conversion, files } = convertSite(site, { fallback: nameFor(resolve(site)) });
    // The site of somebody who named the folder around it.
    return files.paths.some((path) => /\/(?:docs|mint)\.json$/.test(path)) ? {} : { conversion, files };
  };
  let { conversion, files } = read();
  if (!conversion || !files) return own;
  const folder = mkdtempSync(join(tmpdir(), "offprint-site-"));
  const dataOf = (data: string | { readonly copy: string }) =>
    typeof data === "string" ? data : files!.readBytes(data.copy);
  writeNew(
    folder,
    [...conversion.files].map(([path, data]) => [path, dataOf(data)] as const),
  );
  const pages = conversion.pageCount === 1 ? "1 page" : `${conversion.pageCount} pages`;
  return {
    folder,
    conversion,
    hint: `${site} has no docs.json: this site is made from its ${pages} (${conversion.tool}). To keep it: offprint init --from ${site}\n`,
    refresh() {
      const before = conversion!.files;
      ({ conversion = conversion, files = files } = read());
      for (const [path, data] of conversion!.files)
        if (typeof data !== "string" || before.get(path) !== data) replace(folder, path, dataOf(data));
      for (const path of before.keys()) if (!conversion!.files.has(path)) rmSync(join(folder, path), { force: true });
    },
    placed: (diagnostics) => diagnostics.map((each) => placed(each, conversion!)),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function replace(folder: string, path: string, data: string | Uint8Array): void {
  const file = join(folder, path);
  if (!existsSync(file)) writeNew(folder, [[path, data]]);
  else if (!readFileSync(file).equals(Buffer.from(data as string))) writeFileSync(file, data);
}

function placed({ edits: ofConverted, ...diagnostic }: Diagnostic, { origins }: Conversion): Diagnostic {
  const { location, ...rest } = diagnostic;
  const origin = location && origins.get(location.sourcePath);
  if (!location || !origin) return diagnostic;
  const line = location.line === undefined ? undefined : origin.lines[location.line - 1];
  // Columns are those of the converted text.
  return { ...rest, location: { sourcePath: origin.source, ...(line !== undefined && { line }) } };
}

const generic = /^(?:docs?|documentation|site|website|offprint-site)$/i;

/** The folder's name as words. That of the folder around it if it only says that it holds a site. */
export function nameFor(folder: string): string {
  const own = basename(folder);
  const words = (generic.test(own) ? basename(dirname(folder)) : own).replace(/[-_.\s]+/g, " ").trim();
  return words === "" ? "My product" : words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Refuses a folder with files in it; hidden ones, such as `.git`, may be there. @throws {UsageError} */
export function requireEmpty(folder: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (systemErrorCode(error) === "ENOTDIR") throw new UsageError(`${folder} is a file. Name a new or empty folder.`);
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
  if (names.length === 0) return;
  const shown = names.toSorted().slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  throw new UsageError(
    `The folder ${relative(".", folder) || "."} is not empty (${shown}${more}), and nothing is overwritten. Name a new or empty folder.`,
  );
}

/** Writes files by path below the folder. @throws if one exists already. */
export function writeNew(folder: string, files: Iterable<readonly [path: string, data: string | Uint8Array]>): void {
  for (const [path, data] of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, data, { flag: "wx" });
  }
}

export type SiteReader = (sourcePath: string) => string | undefined;

/** Reads files of the site for code frames, each once. */
export function createReader(site: string): SiteReader {
  const texts = new Map<string, string | undefined>();
  return (sourcePath) => {
    if (!texts.has(sourcePath)) {
      try {
        texts.set(sourcePath, readFileSync(join(site, sourcePath), "utf8"));
      } catch {
        texts.set(sourcePath, undefined);
      }
    }
    return texts.get(sourcePath);
  };
}
