import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Conversion } from "../convert/index.js";
import type { Diagnostic, Location } from "../index.js";
import { systemErrorCode } from "../lib/system-error.js";
import type { SiteFiles } from "../site/source/index.js";
import { UsageError } from "./environment.js";
import { count } from "./print/terminal.js";

export interface SiteSource {
  readonly folder: string;
  /** Set for a folder without docs.json, which was converted into `folder`. */
  readonly conversion?: Conversion;
  /** Says that the site was converted, and which command keeps the result; empty if it was not. */
  readonly hint: string;
  /** Converts the folder again after a change. */
  refresh(): Promise<void>;
  /** The diagnostics, located in the files that were converted. */
  atOrigin(diagnostics: readonly Diagnostic[]): readonly Diagnostic[];
  close(): void;
}

/** Converts pages without docs.json into a temporary folder. @param isOld whether the user said so. */
export async function openSiteSource(site: string, isOld = false): Promise<SiteSource> {
  const asItIs: SiteSource = { folder: site, hint: "", async refresh() {}, atOrigin: (all) => all, close() {} };
  const isFolder = fs.statSync(site, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder || (!isOld && ["docs.json", "mint.json"].some((name) => fs.existsSync(join(site, name)))))
    return asItIs;
  const { convertSite, lossOf } = await import("../convert/index.js");
  const convert = async () => {
    const { conversion, files } = await convertSite(site, { fallback: siteNameFor(resolve(site)) });
    // A folder that contains a site is not a site of another tool.
    const hasSite = files.paths.some((path) => /\/(?:docs|mint)\.json$/.test(path));
    return conversion && (isOld || !hasSite) ? { conversion, files } : undefined;
  };
  const first = await convert();
  if (first === undefined) return asItIs;
  let { conversion, files } = first;
  const losses = conversion.notes.filter((note) => lossOf(note) !== undefined).length;
  const folder = fs.mkdtempSync(join(tmpdir(), "offprint-site-"));
  writeNew(folder, convertedFiles(conversion, files));
  return {
    folder,
    conversion,
    hint: `${site} ${isOld ? "is converted on the fly" : "has no docs.json"}: the site is made from its ${count(conversion.pageCount, "page")} (${conversion.tool}).${losses > 0 ? ` ${count(losses, "item")} of the old site ${losses === 1 ? "is" : "are"} missing from it.` : ""} To keep it${losses > 0 ? " and list what is missing" : ""}, run: offprint init --from ${site}\n`,
    async refresh() {
      const before = conversion.files;
      ({ conversion, files } = (await convert()) ?? { conversion, files });
      for (const [path, data] of convertedFiles(conversion, files))
        if (before.get(path) !== data) replace(folder, path, data);
      for (const path of before.keys()) if (!conversion.files.has(path)) fs.rmSync(join(folder, path), { force: true });
    },
    atOrigin: (diagnostics) => diagnostics.map((diagnostic) => locatedAtOrigin(diagnostic, conversion)),
    close: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** The files of a converted site with their content. */
export const convertedFiles = (
  { files }: Conversion,
  sources: SiteFiles,
): (readonly [path: string, data: string | Uint8Array])[] =>
  [...files].map(([path, data]) => [path, typeof data === "string" ? data : sources.readBytes(data.copy)]);

function replace(folder: string, path: string, data: string | Uint8Array): void {
  const file = join(folder, path);
  if (!fs.existsSync(file)) writeNew(folder, [[path, data]]);
  else if (!fs.readFileSync(file).equals(Buffer.from(data as string))) fs.writeFileSync(file, data);
}

function locatedAtOrigin({ edits: _ofConverted, ...diagnostic }: Diagnostic, { origins }: Conversion): Diagnostic {
  const { location, related, ...rest } = diagnostic;
  const atOrigin = (place: Location): Location => {
    const origin = origins.get(place.sourcePath);
    if (!origin) return place;
    const line = place.line === undefined ? undefined : origin.lines[place.line - 1];
    // The column is left out, since it is a column of the converted text.
    return { sourcePath: origin.source, ...(line !== undefined && { line }) };
  };
  return {
    ...rest,
    ...(location && { location: atOrigin(location) }),
    ...(related && { related: { ...related, location: atOrigin(related.location) } }),
  };
}

const genericName = /^(?:docs?|documentation|site|website|offprint-site)$/i;

/** The folder's name as words, or that of its parent if the name only says that it holds a site. */
export function siteNameFor(folder: string): string {
  const name = genericName.test(basename(folder)) ? basename(dirname(folder)) : basename(folder);
  const words = name.replace(/[-_.\s]+/g, " ").trim();
  return words === "" ? "My product" : words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** @throws {UsageError} if the folder has files other than hidden ones, such as `.git`. */
export function requireEmpty(folder: string): void {
  let names: readonly string[] = [];
  try {
    names = fs.readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (systemErrorCode(error) === "ENOTDIR") throw new UsageError(`${folder} is a file. Name a new or empty folder.`);
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
  if (names.length === 0) return;
  const first = names.toSorted().slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  throw new UsageError(
    `The folder ${relative(".", folder) || "."} is not empty (${first}${more}), and Offprint does not overwrite files. Name a new or empty folder.`,
  );
}

/** Writes files by path below the folder. @throws if one exists already. */
export function writeNew(folder: string, files: Iterable<readonly [path: string, data: string | Uint8Array]>): void {
  for (const [path, data] of files) {
    const target = join(folder, path);
    fs.mkdirSync(dirname(target), { recursive: true });
    fs.writeFileSync(target, data, { flag: "wx" });
  }
}

export type SiteReader = (sourcePath: string) => string | undefined;

/** Reads files of the site for code frames, each once. */
export function createReader(site: string): SiteReader {
  const texts = new Map<string, string | undefined>();
  return (sourcePath) => {
    if (!texts.has(sourcePath)) texts.set(sourcePath, textIfReadable(join(site, sourcePath)));
    return texts.get(sourcePath);
  };
}

function textIfReadable(path: string): string | undefined {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
