import { rememberedFor } from "../../lib/memo.js";
import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import { languageCodes } from "../../site/config/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, readToml, readYaml, splitPage, valueAt } from "../data.js";
import type { Line, PageText } from "../page-text.js";
import type { AddNote, NavEntry, NavTab, PageContext, Project, ProjectPage, ToolContext } from "../project.js";
import { Call, Unknown, unknownPart } from "../settings/evaluate.js";
import { insertText } from "../steps/blocks.js";
import { type ListItem, readableName } from "./navigation.js";

export const isPage = (path: string): boolean => /\.(?:mdx?|markdown)$/i.test(path);

/** Files for the people and programs that work on the repository. */
export const isForWriters = (path: string): boolean =>
  /^(?:AGENTS|CLAUDE|GEMINI|LICENSE|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY)\.mdx?$/.test(nameOf(path));

/** The matching file that is nearest to the top of a folder. */
export const findFile = (
  files: SiteFiles,
  pattern: RegExp,
  start: string,
  fits: (path: string) => boolean = () => true,
): string | undefined =>
  files.paths
    .filter((path) => inside(start, path) && pattern.test(path) && !notOfSite.test(relativeTo(start, path)))
    .toSorted((a, b) => a.split("/").length - b.split("/").length || (byFolder(a) < byFolder(b) ? -1 : 1))
    .find(fits);

/** Orders `docs/a` before `docs-fr/a`. */
const byFolder = (path: string): string => path.replaceAll("/", "\0");

/** Folders that contain dependencies or test data. */
const notOfSite = /(?:^|\/)(?:node_modules|__fixtures__|__tests__|test-?fixtures|fixtures|tests?)\//;

export function findFolder(files: SiteFiles, pattern: RegExp, start: string): string | undefined {
  const path = findFile(files, pattern, start);
  return path === undefined ? undefined : folderOf(path);
}

/** The first of some folders, and there of some names, that is a file. */
export const fileIn = (
  files: Pick<SiteFiles, "has">,
  folders: readonly string[],
  names: readonly string[],
): string | undefined =>
  folders.flatMap((folder) => names.map((name) => joinPath(folder, name))).find((path) => files.has(path));

export const inside = (folder: string, path: string): boolean => folder === "" || path.startsWith(`${folder}/`);
export const relativeTo = (folder: string, path: string): string =>
  folder === "" ? path : path.slice(folder.length + 1);

/** The address of a page by its path: without its extension, and without `index` or `README`. */
export const addressOf = (path: string): string =>
  path.replace(/\.(?:mdx?|markdown)$/i, "").replace(/(?:^|\/)(?:index|readme)$/i, "");

const maxHeadBytes = 4 * 1024 * 1024;

/** The front matter of a file. */
export function headOf(files: SiteFiles, path: string): Data {
  return files.sizeOf(path) > maxHeadBytes ? {} : splitPage(files.readText(path).replaceAll("\r\n", "\n")).data;
}

/** Why files with data could not be read, by path. */
export const dataFaults = rememberedFor((_: SiteFiles) => new Map<string, string>());

/** Data of a YAML, JSON or TOML file; see `dataFaults`. */
export function dataFile(files: SiteFiles, path: string): Data {
  if (!files.has(path)) return {};
  const read = path.endsWith(".toml") ? readToml : readYaml;
  const { value, fault } = files.sizeOf(path) > maxHeadBytes ? tooLarge : read(files.readText(path));
  if (fault !== undefined) dataFaults(files).set(path, fault);
  return asData(value);
}
const tooLarge = { value: {}, fault: "it is larger than 4 MB" };

export const numberOf = (value: unknown): number | undefined => {
  const text = asText(value);
  return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
};

/** The links of the header and to the repository, for `navbar`. */
export function navbarOf(links: readonly (readonly [label: unknown, href: unknown])[], repository?: string) {
  const named = links.flatMap(([labelValue, hrefValue]) => {
    const [label, href] = [
      asText(labelValue)
        ?.replace(/<[^<>]*>/g, "")
        .trim(),
      asText(hrefValue),
    ];
    return label && href ? [{ label, href }] : [];
  });
  const all = repository === undefined ? named : [...named, repositoryLink(repository)];
  return all.length > 0 ? { links: all } : undefined;
}

/** A link of `navbar` to a repository; at GitHub, with its stars. */
const repositoryLink = (href: string) =>
  /^https?:\/\/(?:www\.)?github\.com\//.test(href) ? { type: "github", href } : { label: "Repository", href };

export const isTrue = (value: unknown): boolean => asText(value) === "true";

/** A file name as words, without its extension; `v0.11` has none. */
export const labelOf = (path: string): string => readableName(nameOf(path).replace(/\.[a-z]\w*$/i, ""));

/** The name in package.json, as words. */
export function packageName(files: SiteFiles, folder = ""): string | undefined {
  const name = asText(dataFile(files, joinPath(folder, "package.json"))["name"]);
  // The package of a documentation folder often has one of these names.
  const isGeneral = name === undefined || /(?:^|\/)(?:docs?|documentation|site|website|web|app)$/.test(name);
  return isGeneral ? undefined : readableName(name.replace(/^@[^/]*\//, ""));
}

/** The path of a picture in the form of docs.json. */
export const publicPath = (written: string): string => `/${joinPath("", written.replace(/^[~@]\/?/, ""))}`;

const maxIncludes = 200;

/**
 * Replaces lines that include a file.
 *
 * @param pathOf the path that a line includes
 * @param wrap what is inserted for the text of the file; undefined if the file lacks the part that the line names
 */
export function insertFiles(
  lines: PageText,
  context: PageContext,
  pathOf: (line: Line) => string | undefined,
  wrap: (text: string, path: string, line: string) => string | undefined = (text) => text,
  depth = 0,
  from = context.page.source,
): PageText {
  const { include, report, page } = context;
  let left = maxIncludes;
  return lines.flatMap((line) => {
    const path = line.text.length < 2000 ? pathOf(line) : undefined;
    if (path === undefined) return [line];
    // An included file names others from its own folder, or from that of the page.
    const text = depth > 4 || --left < 0 ? undefined : (include(path, from) ?? include(path, page.source));
    const part = text === undefined ? undefined : wrap(text, path, line.text);
    if (part === undefined) {
      const missing =
        text === undefined
          ? `"${path}", which is not in the repository`
          : `a part of "${path}" that the file does not have`;
      report("code", `The line includes ${missing}; write the text here: ${line.text.trim().slice(0, 200)}`, line.line);
      return [{ ...line, text: "" }];
    }
    return insertFiles(insertText(part, line), context, pathOf, wrap, depth + 1, joinPath(folderOf(from), path));
  });
}

export const hasPages = ({ paths }: Pick<SiteFiles, "paths">, folder: string): boolean =>
  paths.some((path) => inside(folder, path) && isPage(path));

/** The pages in a folder. @param addressFor the address of a page by its path from the folder */
export const pagesBelow = (
  files: SiteFiles,
  folder: string,
  addressFor: (path: string, source: string) => string = addressOf,
): ProjectPage[] =>
  files.paths
    // Folders with a dot have parts of pages.
    .filter((path) => isPage(path) && inside(folder, path) && !/(?:^|\/)\./.test(relativeTo(folder, path)))
    .map((source) => ({ source, address: addressFor(relativeTo(folder, source), source) }));

const maxDepth = 30;

/** Whether the value comes from a package, and so is not known here. */
export const isGenerated = (value: unknown): value is Call | Unknown =>
  value instanceof Call || value instanceof Unknown;

/** Whether a part of the sidebar is made by a package or nested too deeply, and so cannot be read; adds a note if it is. */
export function isUnreadable(written: unknown, depth: number, file: string, { note }: ToolContext): boolean {
  const part = asData(written)[unknownPart];
  const program = [written, part].find(isGenerated);
  if (program === undefined && depth <= maxDepth) return false;
  const what =
    depth > maxDepth || program === undefined
      ? `is nested more than ${maxDepth} levels deep`
      : `is made by "${program.name}${program instanceof Call ? "(…)" : ""}", which is not part of the repository`;
  note(file, "navigation", `A part of the navigation ${what}; list its pages in docs.json.`);
  return part === undefined || depth > maxDepth;
}

/** The settings as an object. For a call of a package, `withDiagrams({ … })`, they are its argument. */
export function settingsData(value: unknown, file: string, { note }: ToolContext): Data {
  const inner = value instanceof Call ? value.args.find((arg) => typeof arg === "object") : value;
  const unknown = inner instanceof Unknown ? inner : asData(inner)[unknownPart];
  if (unknown instanceof Unknown)
    note(
      file,
      "settings",
      `${unknown === inner ? "The" : "Some of the"} settings are made by "${unknown.name}", which is not part of the repository; write them in docs.json.`,
    );
  return inner instanceof Unknown ? {} : asData(inner);
}

/** Adds a note for each program that makes pages, since programs are not converted. */
export function notePrograms({ files, note }: ToolContext, folder: string, isProgram: RegExp): void {
  for (const path of files.paths)
    if (inside(folder, path) && isProgram.test(relativeTo(folder, path)) && !/(?:^|\/)_|\.test\./.test(path))
      if (/\[\.\.\./.test(path))
        note(path, "route", "This code generates pages from other files, such as the Markdown that is converted.");
      else note(path, "page", "This page is code and is not converted; write it as MDX.");
}

/** The source of each page by its address in lower case. */
export const byAddressOf = (pages: readonly ProjectPage[]): ReadonlyMap<string, string> =>
  new Map(pages.map(({ address, source }) => [address.toLowerCase(), source]));

/** Whether an address belongs to the language with a prefix. The prefix of the first language may be empty. */
export const isInLanguage = (address: string, prefix: string, prefixes: readonly string[]): boolean =>
  `${address}/`.startsWith(prefix) &&
  (prefix !== "" || !prefixes.some((other) => other !== "" && `${address}/`.startsWith(other)));

/** Whether the name of a folder is the code of a language: `fr`, `pt-br`. */
export const isLanguageCode = (name: string): boolean =>
  /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(name) && languageCodes.includes(name.slice(0, 2).toLowerCase());

/** The part of the navigation in one language. */
export const languageTab = (code: string, parts: readonly NavTab[]): NavTab => ({
  ...{ kind: "language", code, label: code, entries: [], parts },
});

/** The entry for a page; none and a note if the page does not exist. */
export function pageEntry(
  source: string | undefined,
  written: string,
  label: string | undefined,
  file: string,
  { note }: ToolContext,
): NavEntry[] {
  if (source !== undefined) return [{ kind: "page", source, label }];
  noteMissing(written, label, file, note);
  return [];
}

/** Adds a note for an entry of the navigation that leads nowhere. */
export function noteMissing(
  written: string,
  label: string | undefined,
  file: string,
  note: AddNote,
  line?: number,
): void {
  const named = !label || label === written ? "" : ` ("${label}")`;
  const what = `The navigation lists "${written}"${named}, but there is no such page in Markdown; write it, or remove the entry.`;
  note(file, "navigation", what, line);
}

interface ListRules {
  /** The page that a link leads to, and the part of it, if only that is meant. */
  readonly targetOf: (
    href: string,
    hasItems: boolean,
  ) => { readonly source?: string | undefined; readonly part?: string | undefined };
  readonly file: string;
  readonly note: AddNote;
  /** The line before the list in the file. */
  readonly above?: number;
}

/** The entries of lists of links, such as those of SUMMARY.md. An item without a page is a group, or is left out. */
export const linkedEntries = (items: readonly ListItem[], rules: ListRules): NavEntry[] =>
  items.flatMap(({ label, href = "", line, items: inner }): NavEntry[] => {
    const { targetOf, file, note, above = 0 } = rules;
    const isOutside = /^(?:https?:)?\/\//.test(href);
    const { source, part } = href === "" || isOutside ? {} : targetOf(href, inner.length > 0);
    if (href !== "" && !isOutside && source === undefined) noteMissing(href, label, file, note, above + line);
    if (href === "" && inner.length === 0 && label !== "")
      note(file, "entry", `The entry "${label}" has no page, so it is left out.`, above + line);
    const entries = linkedEntries(inner, rules);
    if (isOutside || part !== undefined)
      return [{ kind: "link", label, href: isOutside ? href : `@repo/${source}${part}` }, ...entries];
    return source === undefined && inner.length === 0 ? [] : [{ kind: "group", label, root: source, entries }];
  });

/** Puts pages before the entries, unless the entries list them. */
export const withPages = (sources: readonly (string | undefined)[], entries: readonly NavEntry[]): NavEntry[] => {
  const listed = JSON.stringify(entries);
  const missing = sources.filter((source) => source !== undefined && !listed.includes(JSON.stringify(source)));
  return [...missing.map((source): NavEntry => ({ kind: "page", source: source! })), ...entries];
};

/** Redirects from addresses or files of the tool. */
export const redirectsOf = (
  entries: readonly (readonly [from: string | undefined, to: unknown])[],
): NonNullable<Project["redirects"]> =>
  entries.flatMap(([from, to]) => {
    const target = asText(to);
    if (from === undefined || target === undefined) return [];
    const destination = /^https?:/.test(target) ? target : `/${addressOf(joinPath("", target))}`;
    return [{ source: `/${addressOf(joinPath("", from))}`, destination }];
  });

/** The redirects of a plugin for them, in Docusaurus and Rspress: `{ redirects: [{ from, to }] }`. */
export const clientRedirects = (options: readonly Data[]): NonNullable<Project["redirects"]> =>
  redirectsOf(
    options
      .flatMap(({ redirects }) => asList(redirects))
      .flatMap((redirect) =>
        [valueAt(redirect, "from")].flat().map((from) => [asText(from), valueAt(redirect, "to")] as const),
      ),
  );

/** The value of `logo` in docs.json: one path, or one for each color scheme. */
export const logoOf = (light: string | undefined, dark: string | undefined) =>
  light && dark && light !== dark ? { light, dark } : (light ?? dark);

/**
 * Reads the pictures that settings name, for `logo` and `favicon`; adds a note for one that is not in the repository.
 *
 * @param placeOf the file of a picture, and its path in the new site
 */
export function pictureReader(
  file: string,
  { files, note }: ToolContext,
  placeOf: (written: string) => readonly [source: string, path: string],
) {
  const copied: string[] = [];
  const picture = (value: unknown): string | undefined => {
    const written = asText(value);
    // Material for MkDocs has pictures by name: `material/library`.
    if (written === undefined || /^(?:[a-z]+:)?\/\//.test(written) || !/\.\w+$/.test(written)) return undefined;
    const [source, path] = placeOf(written);
    if (files.has(source)) copied.push(source);
    else note(file, "picture", `The picture "${written}" is not in the repository; add it, and set it in docs.json.`);
    return files.has(source) ? path : undefined;
  };
  return { picture, copied };
}
