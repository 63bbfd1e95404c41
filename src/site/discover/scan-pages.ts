import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Diagnostic, hintOf, warningOf } from "../../lib/diagnostic/index.js";
import { nameOf } from "../../lib/url/index.js";
import { resolveImport, resolveSnippetFile } from "../links/index.js";
import type { Frontmatter, Site } from "../site.js";
import { invalidUtf8, type SiteFiles } from "../source/index.js";
import { isPageFile, stemOf, urlPathOf } from "./output-paths.js";
import { linkOf, locationOfValue } from "./page-facts.js";
import { type SourceScan, scanSource } from "./scan-source.js";

/** Reads the front matter of one page: its values, and where the body starts in `source`. */
export type ParseFrontmatter = (
  source: string,
  sourcePath: string,
) => { readonly frontmatter: Frontmatter; readonly bodyStart: number; readonly diagnostics: readonly Diagnostic[] };

export interface ScanOptions {
  readonly parseFrontmatter: ParseFrontmatter;
  readonly signal?: AbortSignal;
  /** Called repeatedly with the number of files read so far. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stored results by source path. A file with a result is not read; results of other files are added. */
  readonly scans?: ScanStore | undefined;
}

export interface ScanStore {
  get(sourcePath: string): FileScan | undefined;
  set(sourcePath: string, scan: FileScan): void;
  /** Called after the last file. */
  end?(): void;
}

/** The facts of one file that the plan needs. */
export interface FileScan extends SourceScan {
  /** The text before the body. */
  readonly head: string;
  /** Front matter of a page. */
  readonly frontmatter?: Frontmatter;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one file. @param parse set for a page */
export function scanFile(files: SiteFiles, sourcePath: string, parse: ParseFrontmatter | undefined): FileScan {
  const text = files.readText(sourcePath);
  const {
    bodyStart,
    frontmatter,
    diagnostics: faults,
  } = parse?.(text, sourcePath) ?? { bodyStart: 0, diagnostics: [] };
  const diagnostics = [...invalidUtf8(files, sourcePath, text), ...faults];
  const { url } = frontmatter ? linkOf(frontmatter, urlPathOf(sourcePath)) : {};
  const isBlank = isBlankFrom(text, bodyStart);
  if (url !== undefined && !isBlank) diagnostics.push(textOfLink(sourcePath, text, url));
  const isRead = frontmatter !== undefined && faults.length === 0;
  if (url === undefined && isBlank && isRead && !contentKeys.some((key) => Object.hasOwn(frontmatter, key)))
    diagnostics.push({
      ...hintOf("COMPONENT_EMPTY"),
      what: "The page is empty.",
      location: { sourcePath, line: 1, column: 1 },
      fix: "write its text, or remove the page.",
    });
  const scan = scanSource(text, isPageFile(sourcePath) ? "markdown" : "module", bodyStart);
  return { head: text.slice(0, bodyStart), ...(frontmatter && { frontmatter }), diagnostics, ...scan };
}

/** Keys of front matter that give a page its content. */
const contentKeys = ["openapi", "openapi-schema", "asyncapi", "graphql", "arazzo", "sdk", "api"];
/** Whether the text from `start` on consists of blanks and comments. */
function isBlankFrom(text: string, start: number): boolean {
  for (let at = start; ; ) {
    while (at < text.length && text[at]!.trim() === "") at++;
    if (at === text.length) return true;
    const close = text.startsWith("{/*", at) ? "*/}" : text.startsWith("<!--", at) ? "-->" : undefined;
    const end = close === undefined ? -1 : text.indexOf(close, at + 3);
    if (end < 0) return false;
    at = end + 3;
  }
}

function textOfLink(sourcePath: string, text: string, url: string): Diagnostic {
  const what = `The page's url makes it a link to "${url}" in the navigation, so the text of the page is not exported.`;
  const location = locationOfValue(sourcePath, text, "url");
  const fix =
    'remove "url" to export the page, or remove its text; write "canonical" for an address that search engines should show.';
  return { code: "PAGE_TEXT_UNUSED", severity: "warning", what, location, fix };
}

/** Whether the site has the same plan after a change of a file. @param classNames the class names in the plan */
export const hasSamePlan = (before: FileScan, now: FileScan, classNames: ReadonlySet<string>): boolean =>
  before.head === now.head &&
  isDeepStrictEqual(
    [before.imports, before.snippetFiles, before.namesParts, before.diagnostics],
    [now.imports, now.snippetFiles, now.namesParts, now.diagnostics],
  ) &&
  now.classWords.every((word) => classNames.has(word));

/** The facts of a file that `stylesOf` needs. */
interface FileStyles {
  readonly classNames: readonly string[];
  readonly namesParts: boolean;
  readonly imports: readonly string[];
}

const maxSliceMs = 20;

/**
 * Reads every page and snippet once. The results are small and keep no text of a page in memory.
 *
 * Stops: once `signal` aborts, rejects with its reason within a slice of some 20 ms.
 */
export async function scanPages(sorted: SortedFiles, files: SiteFiles, options: ScanOptions) {
  /** Front matter of every candidate page, by source path. */
  const frontmatters = new Map<string, Frontmatter>();
  /** Every file that another file imports. */
  const imported = new Set<string>();
  const styles = new Map<string, FileStyles>();
  /** Shared copies of words, since most files have the same few words. */
  const words = new Map<string, string>();
  const detachedWord = (word: string): string => {
    let copy = words.get(word);
    if (copy === undefined) {
      copy = detached(word);
      words.set(copy, copy);
    }
    return copy;
  };
  const diagnostics: Diagnostic[] = [];
  const candidates = new Set(sorted.candidates);
  // Imported scripts are added, so that their own imports are followed, too.
  const queue = [...sorted.candidates, ...sorted.modules];
  const queued = new Set(queue);
  /** Images and data may be imported, too, but have no imports of their own. */
  const has = (path: string): boolean => importable.test(path) && files.has(path);

  let sliceStart = performance.now();
  for (let done = 0; done < queue.length; done++) {
    if (performance.now() - sliceStart > maxSliceMs) {
      options.onProgress?.(done, queue.length);
      await nextTurn();
      sliceStart = performance.now();
    }
    options.signal?.throwIfAborted();
    const sourcePath = queue[done]!;
    const isCandidate = candidates.has(sourcePath);
    const stored = options.scans?.get(sourcePath);
    const isStored = stored !== undefined && (stored.frontmatter !== undefined) === isCandidate;
    const scan = isStored ? stored : scanFile(files, sourcePath, isCandidate ? options.parseFrontmatter : undefined);
    if (!isStored) options.scans?.set(sourcePath, scan);
    diagnostics.push(...scan.diagnostics);
    if (isCandidate) frontmatters.set(sourcePath, isStored ? scan.frontmatter! : detachedData(scan.frontmatter!));
    const imports: string[] = [];
    const classNames = [...new Set(scan.classWords.map(detachedWord))];
    styles.set(sourcePath, { classNames, namesParts: scan.namesParts === true, imports });
    for (const resolved of [
      ...scan.imports.map((specifier) => resolveImport(specifier, sourcePath, has)),
      ...scan.snippetFiles.map((file) => resolveSnippetFile(file, has)),
    ]) {
      if (resolved.kind !== "file" || resolved.sourcePath === sourcePath) continue;
      const target = detachedWord(resolved.sourcePath);
      imports.push(target);
      if (imported.has(target)) continue;
      imported.add(target);
      if (queued.has(target)) continue;
      queued.add(target);
      queue.push(target);
    }
  }
  options.scans?.end?.();
  options.onProgress?.(queue.length, queue.length);
  return { frontmatters, imported, stylesOf: (pages: Iterable<string>) => stylesOf(pages, styles), diagnostics };
}

/** Class names in these pages and the files that they import, directly or not, and whether they name component parts. */
function stylesOf(
  pages: Iterable<string>,
  styles: ReadonlyMap<string, FileStyles>,
): Pick<Site, "classNames" | "namesParts"> {
  const classNames = new Set<string>();
  let namesParts = false;
  // The files that they import are added in the loop.
  const files = new Set(pages);
  for (const path of files) {
    const file = styles.get(path);
    if (file === undefined) continue;
    for (const word of file.classNames) classNames.add(word);
    for (const path of file.imports) files.add(path);
    namesParts ||= file.namesParts;
  }
  return { classNames: [...classNames].sort(), namesParts };
}

// A slice of a string keeps the whole string in memory, and these slices outlive the page's text, so they are copied.
const detached = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
const detachedData = (data: Frontmatter): Frontmatter => JSON.parse(JSON.stringify(data)) as Frontmatter;

/** The files of a site by their use. Each list is in the order of the given paths. */
export interface SortedFiles {
  /** Files that are pages if they are listed, or if no page imports them. */
  readonly candidates: readonly string[];
  /** Candidates that are pages only if the navigation lists them: notes for the writers of the site. */
  readonly notes: ReadonlySet<string>;
  /** `.jsx`, `.tsx` and everything that can be imported from a folder of snippets. */
  readonly modules: readonly string[];
  readonly styles: readonly string[];
  /** Scripts of the site, unless a page imports them. */
  readonly scripts: readonly string[];
  readonly statics: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Sorts files by their paths, without reading them. The configuration, hidden files and tools' files are in no list. */
export function sortFiles(paths: readonly string[]): SortedFiles {
  const pages: string[] = [];
  const notes = new Set<string>();
  const modules: string[] = [];
  const styles: string[] = [];
  const scripts: string[] = [];
  const statics: string[] = [];
  for (const path of paths) {
    if (configuration.test(path) || hidden.test(path)) continue;
    if (inSnippets.test(path) && importable.test(path)) modules.push(path);
    else if (path === "skill.md" || nameOf(path) === "SKILL.md") statics.push(path);
    else if (isPageFile(path)) {
      pages.push(path);
      if (workingNote.test(path)) notes.add(path);
    } else if (/\.[jt]sx$/.test(path)) modules.push(path);
    else if (path.endsWith(".css")) styles.push(path);
    else if (path.endsWith(".js") && !toolSettings.test(path)) scripts.push(path);
    else if (served.test(path)) statics.push(path);
  }
  const { candidates, diagnostics } = preferMdx(pages);
  diagnostics.push(...paths.flatMap(hostFileLeftOut), ...paths.flatMap(pageLeftOut));
  return { candidates, notes, modules, styles, scripts, statics, diagnostics };
}

const configuration = /^(?:docs|mint|offprint\.lock)\.json$/;
/** Hidden files and files in hidden folders, except `.well-known`, which is served, and `.htaccess`, which Apache reads. */
const hidden = /(?:^|\/)\.(?!well-known\/)(?!htaccess$)/;
const inSnippets = /^_?snippets\//;
/** Files that can have imports. */
export const importable = /\.(?:mdx?|[jt]sx?)$/;
const workingNote = /(?:^|\/)(?:README|AGENTS|CLAUDE|GEMINI)\.md$/;
/** Settings of build tools are written for Node and fail in a browser. */
const toolSettings = /\.config\.js$/;
/** Extensions of the files that are copied as they are. */
const served =
  /\.(?:png|jpe?g|gif|webp|avif|svgz?|ico|bmp|mp4|webm|mov|m4v|ogv|mp3|wav|ogg|m4a|flac|vtt|srt|json|ya?ml|woff2?|ttf|otf|eot|pdf|txt|xml|csv|tsv|zip|gz|tgz|wasm|webmanifest|htaccess|html?|docx?|xlsx?|pptx?)$/i;

/** Files for hosts that the export writes itself, with the advice for a file of the site of the same name. */
const ownHostFiles: Readonly<Record<string, string>> = {
  _redirects: 'move the redirects to docs.json: "redirects": [{ "source": "/old", "destination": "/new" }].',
  _headers: "set the headers in your host's configuration, such as netlify.toml, and delete the file.",
};

function hostFileLeftOut(sourcePath: string): readonly Diagnostic[] {
  const fix = Object.hasOwn(ownHostFiles, sourcePath) ? ownHostFiles[sourcePath] : undefined;
  if (fix === undefined) return [];
  const what = `${sourcePath} is left out, because the export writes a file with that name itself.`;
  return [{ code: "PATH_RESERVED", severity: "warning", what, location: { sourcePath }, fix }];
}

/** Names of Markdown files with an extension that pages do not have. */
const otherPage = /\.(?:markdown|mdown|mkdn?|mdx?|mdx?\.txt)$/i;

function pageLeftOut(sourcePath: string): readonly Diagnostic[] {
  if (!otherPage.test(sourcePath) || isPageFile(sourcePath) || hidden.test(sourcePath)) return [];
  const stem = sourcePath.replace(otherPage, "");
  const what = `${sourcePath} is not exported as a page, because its name ends neither in .mdx nor in .md.`;
  const fix = `rename it to ${stem}.mdx, and write "/${stem}" in links to it.`;
  const about = [`/${sourcePath}`, `/${stem}`];
  return [{ code: "SOURCE_NAME_UNUSABLE", severity: "warning", what, location: { sourcePath }, fix, about }];
}

function preferMdx(pages: readonly string[]): {
  readonly candidates: readonly string[];
  readonly diagnostics: Diagnostic[];
} {
  const stems = new Set(pages.filter((path) => path.endsWith(".mdx")).map(stemOf));
  const shadowed = (path: string): boolean => path.endsWith(".md") && stems.has(stemOf(path));
  const diagnostics = pages.filter(shadowed).map(
    (path): Diagnostic => ({
      ...warningOf("PAGE_SHADOWED"),
      what: `${path} is left out, because ${stemOf(path)}.mdx has the same URL, and .mdx takes precedence over .md.`,
      location: { sourcePath: path },
      fix: "remove or rename one of the two files.",
    }),
  );
  return { candidates: pages.filter((path) => !shadowed(path)), diagnostics };
}
