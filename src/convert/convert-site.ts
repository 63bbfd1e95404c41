import { resolve } from "node:path";
import { EnvironmentError } from "../lib/system-error.js";
import { folderOf, joinPath } from "../lib/url/index.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import { readMintJson } from "../site/config/index.js";
import { openFolder, type SiteFiles } from "../site/source/index.js";
import { type Data, splitPage, textOf } from "./data.js";
import { createResolver, newPaths, portable, rewriteLinks } from "./links.js";
import { docsJson } from "./navigation.js";
import { linesOf, type PageText } from "./page-text.js";
import type { AddNote, Note, PageContext, Project, Tool, ToolContext } from "./project.js";
import { escapeMarkdown, mdxComments } from "./steps/escape.js";
import { takeTitle } from "./steps/title.js";
import { tools } from "./tools/index.js";
import { isPage } from "./tools/shared.js";

/** The new files by path: a text, or the path of a source file to copy. */
type NewFiles = ReadonlyMap<string, string | { readonly copy: string }>;

export interface Conversion {
  /** Whose files were converted: `Docusaurus`. */
  readonly tool: string;
  readonly name: string;
  /** Address of the published site. */
  readonly url?: string | undefined;
  readonly pageCount: number;
  readonly files: NewFiles;
  /** Where each new page comes from. */
  readonly origins: ReadonlyMap<string, PageOrigin>;
  /** Sorted by file and line. */
  readonly notes: readonly Note[];
}

export interface PageOrigin {
  readonly source: string;
  /** For each line of the new page, its line in the source. */
  readonly lines: readonly number[];
}

/** The name that the user chose, or else one for a site that has none. */
interface SiteNames {
  readonly name?: string | undefined;
  readonly fallback: string;
}

/** Rules of `.mintignore`, for files of other tools that one of our sites ignores. */
const alsoRead = [
  "!.vitepress/",
  "!.gitbook/",
  "!.gitbook.yaml",
  "!*.md",
  "node_modules",
  ".vitepress/cache",
  ".vitepress/dist",
];
/** Other files are programs, which would run in the site, or have no type and would not be published. */
const publishedFile =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|m4v|ogv|mp3|wav|ogg|m4a|vtt|json|ya?ml|woff2?|ttf|otf|pdf|txt|xml|csv|tsv|zip|gz|tgz|docx?|xlsx?|pptx?)$/i;
/** Larger pages are not converted. */
const maxPageBytes = 4 * 1024 * 1024;

/**
 * Converts the site of another tool, or a folder of Markdown. Only reads: runs no code of the site, and follows no link out
 * of the folder.
 *
 * Out:   no conversion if the folder has no page.
 * @throws {EnvironmentError} if the folder cannot be opened
 */
export function convertSite(
  from: string,
  names: SiteNames,
): { readonly conversion?: Conversion; readonly files: SiteFiles } {
  const { files, diagnostics } = openFolder(resolve(from), { ignore: alsoRead });
  const fatal = diagnostics.find(({ severity, location }) => severity === "error" && location === undefined);
  if (fatal) throw new EnvironmentError(fatal.what);
  const notes: Note[] = [];
  const note: AddNote = (sourcePath, kind, what, line) => void notes.push({ sourcePath, line, what, kind });
  for (const { what, location, code } of diagnostics) note(location?.sourcePath ?? ".", code, what);
  const converted = convertFiles(files, names, note);
  return { files, ...(converted && { conversion: { ...converted, notes: notes.toSorted(byPlace) } }) };
}

const byPlace = (a: Note, b: Note): number =>
  a.sourcePath === b.sourcePath ? (a.line ?? 0) - (b.line ?? 0) : a.sourcePath < b.sourcePath ? -1 : 1;

function convertFiles(files: SiteFiles, names: SiteNames, note: AddNote): Omit<Conversion, "notes"> | undefined {
  if (files.has("mint.json") && !files.has("docs.json")) return convertMint(files, names, note);
  for (const tool of tools) {
    const base = tool.detect(files);
    if (base === undefined) continue;
    const context = { files, base, note };
    const project = tool.read(context);
    if (project.pages.length > 0) return convertProject(tool, project, context, names);
  }
  return undefined;
}

/** Our own older format: its pages stay as they are, and its settings get their new names. */
function convertMint(files: SiteFiles, names: SiteNames, note: AddNote): Omit<Conversion, "notes"> {
  const { settings = {}, diagnostics } = readMintJson(files);
  for (const { what, location } of diagnostics)
    note(location?.sourcePath ?? "mint.json", "settings", what, location?.line);
  const isForRepository = /(?:^|\/)(?:README|LICENSE|CHANGELOG|CONTRIBUTING|AGENTS|CLAUDE)\.md$/;
  const copied = files.paths.filter((path) => path !== "mint.json" && !isForRepository.test(path));
  const name = names.name ?? textOf(settings["name"]) ?? names.fallback;
  const config = `${JSON.stringify({ theme: "mint", ...settings, name }, null, 2)}\n`;
  return {
    tool: "mint.json",
    name,
    pageCount: copied.filter((path) => isPage(path) && !/^_?snippets\//.test(path)).length,
    files: new Map<string, string | { readonly copy: string }>([
      ...copied.map((path) => [path, { copy: path }] as const),
      ["docs.json", config],
    ]),
    origins: new Map(),
  };
}

function convertProject(
  tool: Tool,
  project: Project,
  toolContext: ToolContext,
  names: SiteNames,
): Omit<Conversion, "notes"> {
  const { files, note } = toolContext;
  const { pages, assetFolders, basePath, generated, url } = project;
  const name = names.name ?? project.name ?? names.fallback;
  const newFiles = new Map<string, string | { readonly copy: string }>();
  const origins = new Map<string, PageOrigin>();
  const pathOf = newPaths(pages);
  const copy = (source: string): string => {
    const folder = assetFolders.find((candidate) => source.startsWith(`${candidate}/`));
    const path = portable(folder ? source.slice(folder.length + 1) : source);
    const target = publishedFile.test(path) ? path : `${path}.txt`;
    newFiles.set(target, { copy: source });
    return target;
  };
  for (const source of project.files ?? []) copy(source);
  const resolveLink = createResolver({ files, pages, assetFolders, basePath }, { pathOf, copy });

  for (const page of pages) {
    const { source } = page;
    const report: PageContext["report"] = (kind, what, line) => note(source, kind, what, line);
    if (files.sizeOf(source) > maxPageBytes) {
      report("size", "The page is larger than 4 MB; it is left out.");
      continue;
    }
    const { data, body, bodyLine, fault } = splitPage(textWithLineFeeds(files, source));
    if (fault) report("front matter", `The front matter cannot be read: ${fault}.`, 1);
    const context: PageContext = { ...toolContext, page, report, frontmatter: data, include: includer(files) };
    const converted = tool.convert(linesOf(body, bodyLine), context);
    const lines = tool.isMarkdown(page) ? escapeMarkdown(converted) : mdxComments(converted);
    const frontmatter = tool.frontmatter?.(data) ?? data;
    const { title, sidebarTitle, rest, repeated } = takeTitle(lines, frontmatter, page, name);
    if (repeated !== undefined)
      report("hint", "The heading repeats the title, which the page shows already; it is dropped.", repeated);
    const linked = rewriteLinks(rest, source, resolveLink, (href, line) => {
      if (generated === undefined || !href.startsWith(`/${generated}/`))
        report("link", `The link "${href}" leads to nothing in the folder.`, line);
    });
    const path = `${pathOf.get(source)!}.mdx`;
    const printed = printPage(linked, { ...frontmatter, title, sidebarTitle });
    newFiles.set(path, printed.text);
    origins.set(path, { source, lines: printed.lines });
  }
  const config = docsJson({ ...project, name }, pathOf, copy, note);
  for (const [path, text] of config.pages) if (!newFiles.has(path)) newFiles.set(path, text);
  newFiles.set("docs.json", config.text);
  return { tool: tool.name, name, url, pageCount: pages.length, files: newFiles, origins };
}

const textWithLineFeeds = (files: SiteFiles, path: string): string => files.readText(path).replaceAll("\r\n", "\n");

/** Reads a file that a page includes, by its path from the page or from the project. */
const includer =
  (files: SiteFiles): PageContext["include"] =>
  (path, from) => {
    const source = [joinPath(folderOf(from), path), joinPath("", path)].find((candidate) => files.has(candidate));
    if (source === undefined || files.sizeOf(source) > maxPageBytes) return undefined;
    const text = textWithLineFeeds(files, source);
    return isPage(source) ? splitPage(text).body : text;
  };

/** Fields of our front matter; others are those of a tool. */
const ourFields = new Set(
  "title sidebarTitle description icon tag keywords hidden noindex draft deprecated mode url".split(" "),
);

function printPage(lines: PageText, data: Data): { readonly text: string; readonly lines: readonly number[] } {
  const fields = Object.entries(withoutUndefined(data)).flatMap(([key, value]) => {
    if (!ourFields.has(key)) return [];
    if (Array.isArray(value)) return value.length > 0 ? [`${key}: ${JSON.stringify(value)}`] : [];
    const text = textOf(value);
    return text === undefined ? [] : [`${key}: ${/^(?:true|false)$/.test(text) ? text : JSON.stringify(text)}`];
  });
  const texts = ["---", ...fields, "---", ""];
  const numbers = texts.map(() => 1);
  for (const { text, line } of lines) {
    // Two spaces at the end of a line are a line break.
    const printed = /\S {2}$/.test(text.slice(-3)) ? text : text.trimEnd();
    if (printed === "" && texts.at(-1) === "") continue;
    texts.push(printed);
    numbers.push(line);
  }
  return { text: `${texts.join("\n").trimEnd()}\n`, lines: numbers };
}
