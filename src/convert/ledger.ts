/** Accounts for every text file of the old site: it becomes a page, is included in one, or has a note. None is lost silently. */
import { folderOf, joinPath } from "../lib/url/index.js";
import type { SiteFiles } from "../site/source/index.js";
import { asText, type Data, valueAt } from "./data.js";
import { foldersOf } from "./links.js";
import type { AddNote, Project } from "./project.js";
import type { GuestResult } from "./settings/guest.js";
import { dataFaults, dataFile, headOf, inside, isForWriters, isPage, isTrue, relativeTo } from "./tools/shared.js";
import unconverted from "./unconverted.json" with { type: "json" };

/** Text files besides Markdown that some of the tools turn into pages. */
const otherText = /\.(?:mdown|mkdn?|mdoc|adoc|asciidoc|rst|org|[qr]md|ipynb|html?)$/i;

/**
 * Adds a note for each text file in the folders of the pages that is neither converted nor has a note, and for the Markdown
 * files beside these folders.
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
  const used = new Set([...sources, ...included, ...navigationFiles]);
  const isNamed = (path: string): boolean => [path, ...foldersOf(path)].some((at) => named.has(at));
  const notPages: string[] = [];
  for (const path of files.paths) {
    const isContent = folders.some((folder) => inside(folder, path));
    if (!(isPage(path) || (isContent && otherText.test(path))) || !(isContent || inside(base, path))) continue;
    if (used.has(path) || /(?:^|\/)\./.test(path) || isNamed(path)) continue;
    const head = headOf(files, path);
    // HTML without front matter is a template, or is published unchanged.
    if (/\.html?$/i.test(path) && Object.keys(head).length === 0) continue;
    const isPart = /(?:^|\/)_(?!index\.)/.test(path) || isForWriters(path) || isTrue(head["draft"]) || isLeftOut(path);
    if (isContent && !isPart)
      note(
        path,
        "page",
        "This file is in a folder of pages, but is not converted; write it as MDX if readers need it.",
      );
    else notPages.push(path);
  }
  for (const [folder, list] of belowPages(notPages, sources))
    note(folder, "not a page", `The old site makes no page of these files, so they are left out: ${list}.`);
}

/**
 * The innermost common folder of each group of pages. A group is the pages of one subfolder of the settings' folder, or of one
 * of its parents if they are outside of it.
 */
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

/** Adds a note for the pages that the navigation does not list. */
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

/** Groups paths by the topmost folder above them that contains none of the others, and lists the names of each group. */
function* belowPages(paths: readonly string[], others: ReadonlySet<string>): Generator<[folder: string, list: string]> {
  const withOthers = new Set(["", ...[...others].flatMap(foldersOf)]);
  const topFolder = (folder: string): string => {
    let top = folder;
    while (!withOthers.has(folderOf(top))) top = folderOf(top);
    return top;
  };
  for (const [folder, group] of Map.groupBy(paths, (path) => topFolder(folderOf(path)))) {
    const names = group.slice(0, 5).map((path) => relativeTo(folder, path));
    yield [folder || ".", `${names.join(", ")}${group.length > 5 ? ` and ${group.length - 5} more` : ""}`];
  }
}

/** The line of a settings file that contains a text quoted by a note. Evaluated settings do not say where a value was written. */
export function lineOfQuote(files: SiteFiles, path: string, what: string): number | undefined {
  if (!/\.(?:[cm]?[jt]sx?|json|ya?ml|toml)$/.test(path) || !files.has(path) || files.sizeOf(path) > maxSettingsBytes)
    return undefined;
  const text = files.readText(path);
  const quotes = [...what.matchAll(/"([^"]{2,300})"/g)].map(([, quoted = ""]) => quoted);
  for (const quoted of quotes.toSorted((a, b) => b.length - a.length)) {
    const at = text.indexOf(quoted);
    if (at >= 0) return text.slice(0, at).split("\n").length;
  }
  return undefined;
}

const maxSettingsBytes = 4 * 1024 * 1024;

/** Adds notes for values that settings use in texts, but which are unknown here. */
export function noteUnknown(
  { environment, inserted }: Pick<GuestResult, "environment" | "inserted">,
  settingsFiles: readonly string[],
  files: SiteFiles,
  note: AddNote,
): void {
  for (const [names, what] of [
    [environment, "come from the environment, which is empty here; check the texts and addresses that depend on them"],
    [inserted, "come from packages, and texts show their names in braces; write the texts"],
  ] as const) {
    const text = `The values ${names.map((name) => `"${name}"`).join(", ")} ${what} in docs.json.`;
    const file = settingsFiles.find((path) => lineOfQuote(files, path, text) !== undefined) ?? settingsFiles[0]!;
    if (names.length > 0) note(file, "unknown value", text);
  }
}

/** Whether the old site leaves a page out of its search. */
export const isUnsearched = (data: Data): boolean =>
  asText(data["search"]) === "false" || asText(valueAt(data, "search.exclude")) === "true";

/** Front matter that has no counterpart, by what it did. */
const fieldsWithoutCounterpart = unconverted.frontMatter.map(
  ({ names, advice }) => [new RegExp(names), advice] as const,
);

/** Counts the fields of front matter that are not converted. */
export function unshownFields() {
  const found = fieldsWithoutCounterpart.map(() => new Map<string, { readonly source: string; count: number }>());
  return {
    add(source: string, data: Data): void {
      for (const name of Object.keys(data)) {
        const row = fieldsWithoutCounterpart.findIndex(([names]) => names.test(name));
        const field = found[row]?.get(name) ?? { source, count: 0 };
        found[row]?.set(name, field);
        field.count++;
      }
    },
    report(note: AddNote): void {
      for (const [row, fields] of found.entries())
        if (fields.size > 0) {
          const names = [...fields].map(
            ([name, { count }]) => `"${name}" (${count} ${count === 1 ? "page" : "pages"})`,
          );
          const what = `Front matter that is not converted: ${names.join(", ")}; ${fieldsWithoutCounterpart[row]![1]}.`;
          note([...fields.values()][0]!.source, "front matter", what, 1);
        }
    },
  };
}

/** Reports the files with data that could not be read; it is a loss if nothing of one could be used. */
export function noteInvalidData(files: SiteFiles, note: AddNote): void {
  for (const [path, fault] of dataFaults(files)) {
    const isLost = Object.keys(dataFile(files, path)).length === 0;
    const extent = isLost ? "nothing of it is" : "not all of it may be";
    note(path, isLost ? "settings" : "data", `The file is not valid, so ${extent} used: ${fault}. Correct it.`);
  }
}

/** Data, and scripts with the name of a navigation. */
const listing =
  /\.(?:json|ya?ml)$|(?:^|[/._-])(?:nav(?:igation)?|sidebars?|menu|toc|docs)(?:[._-]\w+)?\.[cm]?[jt]sx?$/i;
/** Files that name pages for another purpose, and the settings of programs. */
const noListing =
  /(?:^|\/)(?:\.|(?:node_modules|public|static|dist|build)\/)|(?:^|\/)(?:package|tsconfig|docs|mint)[\w.-]*\.json$|lock|redirect|search|sitemap|spell|schema|workflow/i;
const maxListingBytes = 300_000;
const minListed = 5;
/** In a navigation, a page has a label and perhaps a description. */
const maxWordsEach = 40;

/** Reports the data of an unknown program that lists pages, as a navigation does. */
export function noteUnreadNavigation(files: SiteFiles, start: string, { pages }: Project, note: AddNote): void {
  const listable = pages.filter(({ source }) => !/(?:^|\/)readme\.\w+$/i.test(source));
  // Paths may begin in any of the folders above a page.
  const stems = new Set(
    listable.flatMap(({ source, address }) => {
      const names = source.replace(/\.\w+$/, "").split("/");
      return [address, names.join("/"), ...names.slice(1, -1).map((_, at) => names.slice(at + 1).join("/"))];
    }),
  );
  const found = files.paths.flatMap((path) => {
    if (!inside(start, path) || !listing.test(path) || noListing.test(path)) return [];
    const text = files.sizeOf(path) > maxListingBytes ? "" : files.readText(path);
    const words = new Set(text.match(/[^\s"'`,:[\]{}]{2,200}/g));
    const listed = [...words].filter((word) => {
      const stem = word.replace(/^\.?\/|(?:\.mdx?|\/)$/g, "");
      return stems.has(joinPath(folderOf(path), stem)) || (stem.includes("/") && stems.has(stem));
    });
    return listed.length < minListed || listed.length < words.size / maxWordsEach ? [] : [{ path, listed }];
  });
  const [first] = found.toSorted((a, b) => b.listed.length - a.listed.length);
  const others = found.length > 1 ? `, as ${found.length - 1} other files do` : "";
  if (first !== undefined)
    note(
      first.path,
      "settings",
      `This file lists ${first.listed.length} pages${others}, for a program that is not supported; write its order and labels as the navigation in docs.json.`,
      1,
    );
}
