/** Accounts for each text of the old site: it is a page, a part of one, or named, so that none is lost in silence. */
import { folderOf } from "../lib/url/index.js";
import type { SiteFiles } from "../site/source/index.js";
import type { AddNote, Project } from "./project.js";
import { headOf, inside, isForWriters, isPage, isTrue, relativeTo } from "./tools/shared.js";

/** Texts that one of the tools makes pages of. */
const otherText = /\.(?:mdown|mkdn?|mdoc|adoc|asciidoc|rst|org|html?)$/i;

/**
 * Names each text in the folders of the pages that is neither converted nor named, and the Markdown next to these folders.
 *
 * @param included files that pages include
 * @param named files and folders that have a note
 */
export function noteUnread(
  files: SiteFiles,
  base: string,
  { pages, navigationFiles = [], isLeftOut = () => false }: Project,
  included: ReadonlySet<string>,
  named: ReadonlySet<string>,
  note: AddNote,
): void {
  const sources = new Set(pages.map(({ source }) => source));
  const folders = contentFolders([...sources], base);
  const read = new Set([...sources, ...included, ...navigationFiles]);
  const isNamed = (path: string): boolean => {
    for (let at = path; at !== ""; at = folderOf(at)) if (named.has(at)) return true;
    return false;
  };
  const others: string[] = [];
  for (const path of files.paths) {
    const isContent = folders.some((folder) => inside(folder, path));
    if (!(isPage(path) || (isContent && otherText.test(path))) || !(isContent || inside(base, path))) continue;
    if (read.has(path) || /(?:^|\/)\./.test(path) || isNamed(path)) continue;
    const head = headOf(files, path);
    // HTML without front matter is a template, or a file that is published as it is.
    if (/\.html?$/i.test(path) && Object.keys(head).length === 0) continue;
    const isPart = /(?:^|\/)_(?!index\.)/.test(path) || isForWriters(path) || isTrue(head["draft"]) || isLeftOut(path);
    if (isContent && !isPart)
      note(
        path,
        "page",
        "This file is in a folder of pages, but is not converted; write it as MDX if readers need it.",
      );
    else others.push(path);
  }
  for (const [folder, list] of belowPages(others, sources))
    note(folder, "not a page", `The old site makes no page of these files, so they are left out: ${list}.`);
}

/** The folders that pages have in common, one for each folder in that of the settings or next to one that it is in. */
function contentFolders(sources: readonly string[], base: string): string[] {
  const top = (path: string): string => {
    let start = base;
    while (!inside(start, path)) start = folderOf(start);
    const [name, ...rest] = relativeTo(start, path).split("/");
    return rest.length === 0 ? start : `${start}/${name}`;
  };
  return [...Map.groupBy(sources, top).values()].map((group) =>
    group.map(folderOf).reduce((common, folder) => {
      let shared = common;
      while (!inside(shared, `${folder}/`)) shared = folderOf(shared);
      return shared;
    }),
  );
}

/** Names the pages that no navigation lists. */
export function noteUnlisted({ pages }: Project, listed: ReadonlySet<string>, note: AddNote): void {
  const unlisted = pages.filter(({ source, address }) => address !== "" && !listed.has(source));
  for (const [folder, list] of belowPages(
    unlisted.map(({ source }) => source),
    listed,
  )) {
    const what = `These pages are not in the navigation: ${list}. Search and links still reach them; to list them, add them to docs.json.`;
    note(folder, "unlisted", what);
  }
}

/** Files by the topmost folder without any of the others, and their names. */
function* belowPages(paths: readonly string[], others: ReadonlySet<string>): Generator<[folder: string, list: string]> {
  const withOthers = new Set([""]);
  for (const path of others) for (let at = folderOf(path); at !== ""; at = folderOf(at)) withOthers.add(at);
  const topFolder = (folder: string): string => {
    let top = folder;
    while (!withOthers.has(folderOf(top))) top = folderOf(top);
    return top;
  };
  for (const [folder, own] of Map.groupBy(paths, (path) => topFolder(folderOf(path)))) {
    const names = own.slice(0, 5).map((path) => relativeTo(folder, path));
    yield [folder || ".", `${names.join(", ")}${own.length > 5 ? ` and ${own.length - 5} more` : ""}`];
  }
}
