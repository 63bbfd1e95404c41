import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { type Data, dataOf, readYaml, splitPage, textOf } from "../data.js";
import type { Line, PageText } from "../page-text.js";
import type { NavEntry, PageContext, ProjectPage, ToolContext } from "../project.js";
import { Unknown } from "../read-js.js";
import { insertText } from "../steps/blocks.js";
import { type FolderEntry, folderNavigation, type OrderFacts, readableName } from "./folder-navigation.js";

export const isPage = (path: string): boolean => /\.mdx?$/i.test(path);

/** The first of some files in a folder, anywhere, the one nearest to the top first. */
export const findFile = (files: SiteFiles, pattern: RegExp): string | undefined =>
  files.paths.filter((path) => pattern.test(path)).toSorted((a, b) => a.split("/").length - b.split("/").length)[0];

/** The folder of that file. */
export function findFolder(files: SiteFiles, pattern: RegExp): string | undefined {
  const found = findFile(files, pattern);
  return found === undefined ? undefined : folderOf(found);
}

/** A path below a folder. */
export const below = (folder: string, path: string): string => joinPath(folder, path);
export const inside = (folder: string, path: string): boolean => folder === "" || path.startsWith(`${folder}/`);
export const relativeTo = (folder: string, path: string): string =>
  folder === "" ? path : path.slice(folder.length + 1);

/** The address of a page by its path: without its extension, and without `index` or `README`. */
export const addressOf = (path: string): string =>
  path.replace(/\.mdx?$/i, "").replace(/(?:^|\/)(?:index|readme)$/i, "");

const maxHeadBytes = 4 * 1024 * 1024;

/** The front matter of a file. */
export function headOf(files: SiteFiles, path: string): Data {
  return files.sizeOf(path) > maxHeadBytes ? {} : splitPage(files.readText(path).replaceAll("\r\n", "\n")).data;
}

/** Data of a YAML or JSON file. */
export function dataFile(files: SiteFiles, path: string): Data {
  return files.has(path) && files.sizeOf(path) <= maxHeadBytes ? dataOf(readYaml(files.readText(path)).value) : {};
}

export const numberOf = (value: unknown): number | undefined => {
  const text = textOf(value);
  return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
};

export const isTrue = (value: unknown): boolean => textOf(value) === "true";

/** A navigation made from folders. */
export function folderEntries(
  sources: readonly string[],
  factsOf: (path: string) => OrderFacts & { readonly expanded?: boolean },
  folder: string,
): NavEntry[] {
  const entry = (each: FolderEntry): NavEntry =>
    each.kind === "page"
      ? { kind: "page", source: each.source }
      : { kind: "group", label: each.label, expanded: factsOf(each.folder).expanded, entries: each.entries.map(entry) };
  return folderNavigation(sources, factsOf, folder).map(entry);
}

export const labelOf = (path: string): string => readableName(nameOf(path).replace(/\.\w+$/, ""));

/** Name and repository of package.json, if the site has one. */
export function packageName(files: SiteFiles): string | undefined {
  const name = textOf(dataFile(files, "package.json")["name"]);
  return name === undefined ? undefined : readableName(name.replace(/^@[^/]*\//, ""));
}

/** Copies of a logo and the like, as docs.json writes them. */
export const publicPath = (written: string | undefined): string | undefined =>
  written === undefined || /^(?:[a-z]+:)?\/\//.test(written)
    ? undefined
    : `/${joinPath("", written.replace(/^[~@]\/?/, ""))}`;

const maxIncludes = 200;

/** Replaces lines that include a file. `pathOf` gives what a line includes. */
export function insertFiles(
  lines: PageText,
  context: PageContext,
  pathOf: (line: Line) => string | undefined,
  wrap: (text: string, path: string) => string = (text) => text,
  depth = 0,
): PageText {
  const { include, note, page } = context;
  let left = maxIncludes;
  return lines.flatMap((line) => {
    const path = line.text.length < 2000 ? pathOf(line) : undefined;
    if (path === undefined) return [line];
    const text = depth > 4 || --left < 0 ? undefined : include(path, page.source);
    if (text === undefined) {
      note({
        sourcePath: page.source,
        line: line.line,
        kind: "include",
        what: `The file "${path}" that is included is not in the folder.`,
      });
      return [{ ...line, text: "" }];
    }
    return insertFiles(insertText(wrap(text, path), line), context, pathOf, wrap, depth + 1);
  });
}

/** `title` and `url` of the pages of a folder, in the order of the paths. */
export const pagesBelow = (files: SiteFiles, folder: string, addressFor: (path: string) => string): ProjectPage[] =>
  files.paths
    .filter((path) => isPage(path) && inside(folder, path))
    .map((source) => ({ source, address: addressFor(source) }));

export const noteFor = ({ note }: ToolContext, sourcePath: string, kind: string, what: string, line?: number): void =>
  note({ sourcePath, kind, what, line });

/** @param what what to write by hand: `name, logo and links`. */
export const noteUnreadable = (context: ToolContext, path: string, what: string): void =>
  noteFor(context, path, "settings", `The settings cannot be read without running them: set ${what} in docs.json.`);

export const noteComputed = (context: ToolContext, path: string, written: unknown): void =>
  noteFor(
    context,
    path,
    "settings",
    "A part of the sidebar is made by code, which is not run; list its pages in docs.json.",
    written instanceof Unknown ? written.line : undefined,
  );

export { folderOf };
