import { resolve } from "node:path";
import { EnvironmentError } from "../lib/system-error.js";
import { folderOf, joinPath } from "../lib/url/index.js";
import { openFolder, type SiteFiles } from "../site/source/index.js";
import { type Data, defined, splitPage, textOf } from "./data.js";
import { createResolver, newPaths, portable, rewriteLinks } from "./links.js";
import { convertMint } from "./mint.js";
import { docsJson } from "./navigation.js";
import { linesOf, type PageText } from "./page-text.js";
import type { Note, PageContext, Project, Tool } from "./project.js";
import { escapeMarkdown, mdxComments } from "./steps/escape.js";
import { takeTitle } from "./steps/title.js";
import { tools } from "./tools/index.js";

export interface Conversion {
  /** What the files were made for: `Docusaurus`. */
  readonly tool: string;
  readonly name: string;
  /** Address of the published site. */
  readonly url?: string | undefined;
  readonly pageCount: number;
  /** The new files by path: a text, or the path of a source file to copy. */
  readonly files: ReadonlyMap<string, string | { readonly copy: string }>;
  /** Where a new page comes from: its source, and the line of each of its lines there. */
  readonly origins: ReadonlyMap<string, PageOrigin>;
  /** Sorted by file and line. */
  readonly notes: readonly Note[];
}

export interface PageOrigin {
  readonly source: string;
  readonly lines: readonly number[];
}

/** Files of other tools that a site of ours ignores. */
const alsoRead = [
  "!.vitepress/",
  "!.gitbook/",
  "!.gitbook.yaml",
  "!*.md",
  "node_modules",
  ".vitepress/cache",
  ".vitepress/dist",
];
/** Other files are programs or have no type: a site would run the first and not publish the second. */
const served =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|m4v|ogv|mp3|wav|ogg|m4a|vtt|json|ya?ml|woff2?|ttf|otf|pdf|txt|xml|csv|tsv|zip|gz|tgz|docx?|xlsx?|pptx?)$/i;
/** Larger pages are not converted. */
const maxPageBytes = 4 * 1024 * 1024;

/**
 * Converts the site of another tool, or a folder of Markdown. Reads only; runs no code of the site, follows no link out of
 * the folder.
 *
 * Out:   undefined if the folder has no page.
 * @throws {EnvironmentError} if the folder cannot be opened
 */
export function convertSite(
  from: string,
  names: { readonly name?: string | undefined; readonly fallback: string },
): { readonly conversion?: Conversion; readonly files: SiteFiles } {
  const { files, diagnostics } = openFolder(resolve(from), { ignore: alsoRead });
  const fatal = diagnostics.find(({ severity, location }) => severity === "error" && location === undefined);
  if (fatal) throw new EnvironmentError(fatal.what);
  const notes: Note[] = diagnostics.map(({ what, location, code }) => ({
    sourcePath: location?.sourcePath ?? ".",
    what,
    kind: code,
  }));
  const addNote = (note: Note): void => void notes.push(note);
  if (files.has("mint.json") && !files.has("docs.json")) {
    const made = convertMint(files, names, addNote);
    return { files, conversion: { ...made, notes: notes.toSorted(byPlace) } };
  }
  for (const tool of tools) {
    const base = tool.detect(files);
    if (base === undefined) continue;
    const project = tool.read({ files, base, note: addNote });
    if (project.pages.length === 0) continue;
    const made = convertProject(tool, project, files, base, addNote, names);
    return { files, conversion: { tool: tool.name, ...made, notes: notes.toSorted(byPlace) } };
  }
  return { files };
}

const byPlace = (a: Note, b: Note): number =>
  a.sourcePath === b.sourcePath ? (a.line ?? 0) - (b.line ?? 0) : a.sourcePath < b.sourcePath ? -1 : 1;

function convertProject(
  tool: Tool,
  project: Project,
  files: SiteFiles,
  base: string,
  note: (note: Note) => void,
  names: { readonly name?: string | undefined; readonly fallback: string },
) {
  const name = names.name ?? project.name ?? names.fallback;
  const written = new Map<string, string | { readonly copy: string }>();
  const copies = new Map<string, string>();
  const origins = new Map<string, PageOrigin>();
  const pathOf = newPaths(project.pages);
  const copy = (source: string): string => {
    const known = copies.get(source);
    if (known !== undefined) return known;
    const folder = project.assetFolders.find((each) => source.startsWith(`${each}/`));
    const path = portable(folder ? source.slice(folder.length + 1) : source);
    const target = served.test(path) ? path : `${path}.txt`;
    copies.set(source, target);
    written.set(target, { copy: source });
    return target;
  };
  for (const each of project.files ?? []) copy(each);
  const rules = { files, pages: project.pages, assetFolders: project.assetFolders, basePath: project.basePath };
  const missing: { line: number; href: string }[] = [];
  const targets = { pathOf, copy, missing: (href: string, line: number): void => void missing.push({ href, line }) };
  const resolveLink = createResolver(rules, targets);

  for (const page of project.pages) {
    const text = readPage(files, page.source, note);
    if (text === undefined) continue;
    const { data, body, bodyLine, fault } = splitPage(text);
    if (fault)
      note({
        sourcePath: page.source,
        line: 1,
        kind: "front matter",
        what: `The front matter cannot be read: ${fault}.`,
      });
    const context: PageContext = { files, base, note, page, frontmatter: data, include: includer(files) };
    const converted = tool.convert(linesOf(body, bodyLine), context);
    const lines = tool.isMarkdown(page) ? escapeMarkdown(converted) : mdxComments(converted);
    const own = tool.frontmatter?.(data) ?? data;
    const { title, sidebarTitle, rest, repeated } = takeTitle(lines, own, page, name);
    if (repeated !== undefined)
      note({
        sourcePath: page.source,
        line: repeated,
        kind: "hint",
        what: "The heading repeats the title, which the page shows already; it is dropped.",
      });
    missing.length = 0;
    const linked = rewriteLinks(rest, page.source, resolveLink, targets.missing);
    for (const { href, line } of missing.splice(0)) {
      if (project.generated !== undefined && href.startsWith(`/${project.generated}/`)) continue;
      note({ sourcePath: page.source, line, kind: "link", what: `The link "${href}" leads to nothing in the folder.` });
    }
    const path = `${pathOf.get(page.source)!}.mdx`;
    const made = pageOf(linked, { ...own, title, sidebarTitle });
    written.set(path, made.text);
    origins.set(path, { source: page.source, lines: made.lines });
  }
  const config = docsJson({ ...project, name }, pathOf, copy, note);
  for (const [path, text] of config.pages) if (!written.has(path)) written.set(path, text);
  written.set("docs.json", config.text);
  return { name, url: project.url, pageCount: project.pages.length, files: written, origins };
}

function readPage(files: SiteFiles, sourcePath: string, note: (note: Note) => void): string | undefined {
  if (files.sizeOf(sourcePath) <= maxPageBytes) return files.readText(sourcePath).replaceAll("\r\n", "\n");
  note({ sourcePath, kind: "size", what: "The page is larger than 4 MB; it is left out." });
  return undefined;
}

/** Reads a file that a page includes, relative to the page or to the project; without its front matter. */
const includer =
  (files: SiteFiles): PageContext["include"] =>
  (path, from) => {
    const found = [joinPath(folderOf(from), path), joinPath("", path)].find((each) => files.has(each));
    if (found === undefined || files.sizeOf(found) > maxPageBytes) return undefined;
    const text = files.readText(found).replaceAll("\r\n", "\n");
    return /\.mdx?$/.test(found) ? splitPage(text).body : text;
  };

/** Keys of our front matter; others are those of a tool. */
const kept = new Set(
  "title sidebarTitle description icon tag keywords hidden noindex draft deprecated mode url".split(" "),
);

function pageOf(lines: PageText, data: Data): { readonly text: string; readonly lines: readonly number[] } {
  const fields = Object.entries(defined(data)).flatMap(([key, value]) => {
    if (!kept.has(key)) return [];
    const text = textOf(value);
    if (Array.isArray(value)) return value.length > 0 ? [`${key}: ${JSON.stringify(value)}`] : [];
    return text === undefined ? [] : [`${key}: ${/^(?:true|false)$/.test(text) ? text : JSON.stringify(text)}`];
  });
  const head = ["---", ...fields, "---", ""];
  const texts = [...head];
  const numbers = head.map(() => 1);
  for (const { text, line } of lines) {
    // Two blanks at the end of a line break it.
    const written = /\S {2}$/.test(text.slice(-3)) ? text : text.trimEnd();
    if (written === "" && texts.at(-1) === "") continue;
    texts.push(written);
    numbers.push(line);
  }
  return { text: `${texts.join("\n").trimEnd()}\n`, lines: numbers };
}
