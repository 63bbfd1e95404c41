import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { resolveImport, resolveSnippetFile } from "../links/index.js";
import type { Frontmatter } from "../site.js";
import { invalidUtf8, type SiteFiles } from "../source/index.js";
import { scanSource } from "./scan-source.js";
import { importable, type SortedFiles } from "./sort-files.js";
import { isPageFile } from "./url-path.js";

/** Reads the front matter of one page: its values, and where the body starts in `source`. */
export type ParseFrontmatter = (
  source: string,
  sourcePath: string,
) => { readonly frontmatter: Frontmatter; readonly bodyStart: number; readonly diagnostics: readonly Diagnostic[] };

export interface ScanOptions {
  readonly parseFrontmatter: ParseFrontmatter;
  readonly signal?: AbortSignal;
  /** Called now and then with the number of files read so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface SiteScan {
  /** Front matter of every candidate page, by source path. */
  readonly frontmatters: ReadonlyMap<string, Frontmatter>;
  /** Every file that another file imports. */
  readonly imported: ReadonlySet<string>;
  /** Sorted, each once. */
  readonly classNames: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const longestSliceMs = 20;

/**
 * Reads every page and snippet once; what it keeps of a page is small and holds none of its text.
 *
 * Stops: once `signal` aborts, rejects with its reason within a slice of some 20 ms.
 */
export async function scanPages(sorted: SortedFiles, files: SiteFiles, options: ScanOptions): Promise<SiteScan> {
  const frontmatters = new Map<string, Frontmatter>();
  const imported = new Set<string>();
  const classNames = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const candidates = new Set(sorted.candidates);
  // Grows by imported scripts, so that their own imports are followed too.
  const queue = [...sorted.candidates, ...sorted.modules];
  const queued = new Set(queue);
  /** Pictures and data can be imported too, but have no imports. */
  const has = (path: string): boolean => importable.test(path) && files.has(path);

  let sliceStart = performance.now();
  for (let done = 0; done < queue.length; done++) {
    if (performance.now() - sliceStart > longestSliceMs) {
      options.onProgress?.(done, queue.length);
      await nextTurn();
      sliceStart = performance.now();
    }
    options.signal?.throwIfAborted();
    const sourcePath = queue[done]!;
    const text = files.readText(sourcePath);
    diagnostics.push(...invalidUtf8(files, sourcePath, text));
    let bodyStart = 0;
    if (candidates.has(sourcePath)) {
      const parsed = options.parseFrontmatter(text, sourcePath);
      frontmatters.set(sourcePath, detachedData(parsed.frontmatter));
      diagnostics.push(...parsed.diagnostics);
      bodyStart = parsed.bodyStart;
    }
    const scan = scanSource(text, isPageFile(sourcePath) ? "markdown" : "module", bodyStart);
    for (const word of scan.classWords) if (!classNames.has(word)) classNames.add(detached(word));
    for (const found of [
      ...scan.imports.map((specifier) => resolveImport(specifier, sourcePath, has)),
      ...scan.snippetFiles.map((file) => resolveSnippetFile(file, has)),
    ]) {
      if (found.kind !== "file" || found.sourcePath === sourcePath || imported.has(found.sourcePath)) continue;
      const target = found.sourcePath;
      imported.add(detached(target));
      if (queued.has(target)) continue;
      queued.add(target);
      queue.push(target);
    }
  }
  options.onProgress?.(queue.length, queue.length);
  return { frontmatters, imported, classNames: [...classNames].sort(), diagnostics };
}

// A slice of a string keeps the whole string in memory, and these slices outlive the page's text, so they are copied.
const detached = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
const detachedData = (data: Frontmatter): Frontmatter => JSON.parse(JSON.stringify(data)) as Frontmatter;
