/** The files that pages are made of. Each is parsed once and kept while there is room. */
import { type Diagnostic, nearestName } from "../../lib/diagnostic/index.js";
import { folderOf, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { findFrontmatter } from "./frontmatter/frontmatter.js";
import { type ModuleParts, readMdxParts, readScriptParts } from "./module-parts.js";
import type { MarkdownParsers } from "./parse/markdown-parsers.js";
import { type ParsedMarkdown, parseMarkdown } from "./parse/parse-markdown.js";

export interface MarkdownModule {
  readonly kind: "markdown";
  readonly sourcePath: string;
  readonly source: string;
  readonly parsed: ParsedMarkdown;
  readonly parts: ModuleParts;
}
interface ScriptModule {
  readonly kind: "script";
  readonly sourcePath: string;
  readonly source: string;
  /** Absent if the file could not be read as JavaScript. */
  readonly parts?: ModuleParts;
}
export type ContentModule = MarkdownModule | ScriptModule;

/** Characters of source kept parsed. */
const roomChars = 24 * 1024 * 1024;

export interface Modules {
  /** A page: parsed each time, so its tree may be changed. */
  readPage(sourcePath: string, source?: string): MarkdownModule;
  /** A snippet: shared, so its tree must not be changed. `sourcePath` is one of the site's files. */
  readShared(sourcePath: string): ContentModule;
}

export function createModules(files: SiteFiles, parsers: MarkdownParsers, latex: boolean): Modules {
  const kept = new Map<string, ContentModule>();
  let chars = 0;
  const readMarkdown = (sourcePath: string, source: string): MarkdownModule => {
    const bodyStart = findFrontmatter(source)?.bodyStart ?? 0;
    const parsed = parseMarkdown(parsers, { source, sourcePath, bodyStart, latex });
    return { kind: "markdown", sourcePath, source, parsed, parts: readMdxParts(parsed.tree, sourcePath) };
  };
  const read = (sourcePath: string): ContentModule => {
    const source = files.readText(sourcePath);
    if (/\.mdx?$/i.test(sourcePath)) return readMarkdown(sourcePath, source);
    const parts = source.length > 1024 * 1024 ? undefined : readScriptParts(source, sourcePath);
    return { kind: "script", sourcePath, source, ...(parts === undefined ? {} : { parts }) };
  };
  return {
    readPage: (sourcePath, source) => readMarkdown(sourcePath, source ?? files.readText(sourcePath)),
    readShared(sourcePath) {
      let module = kept.get(sourcePath);
      if (module === undefined) {
        module = read(sourcePath);
        chars += module.source.length;
      } else {
        files.again?.(sourcePath);
        kept.delete(sourcePath);
      }
      kept.set(sourcePath, module);
      for (const [oldest, { source }] of kept) {
        if (chars <= roomChars || oldest === sourcePath) break;
        kept.delete(oldest);
        chars -= source.length;
      }
      return module;
    },
  };
}

export const diagnosticsOf = (module: MarkdownModule): readonly Diagnostic[] =>
  module.parts.diagnostics.length === 0
    ? module.parsed.diagnostics
    : [...module.parsed.diagnostics, ...module.parts.diagnostics];

/** The file that a missing path probably means: the same name in another folder, or a similar name in the same one. */
export type NearestFile = (path: string) => string | undefined;

/** Names of a folder that one search compares, so that a mistake costs no more in a large folder. */
const mostCompared = 300;

/** The index is built on first use; the time of a search does not grow with the site. */
export function createNearestFile(files: Pick<SiteFiles, "paths">): NearestFile {
  let index: ReturnType<typeof indexOf> | undefined;
  return (path) => {
    const { paths } = files;
    index ??= indexOf(paths);
    const wanted = /\.[a-z]+$/i.test(path) ? path : `${path}.mdx`;
    const named = index.byName.get(nameOf(wanted).toLowerCase());
    if (named !== undefined) return named;
    const near = nearestName(nameOf(wanted), index.siblings.get(siblingKey(wanted)) ?? []);
    return near === undefined ? undefined : wanted.slice(0, wanted.lastIndexOf("/") + 1) + near;
  };
}

function indexOf(paths: readonly string[]) {
  /** Lower-case name -> the first path of that name. */
  const byName = new Map<string, string>();
  /** The first names of each folder and extension. */
  const siblings = new Map<string, string[]>();
  for (const path of paths) {
    const name = nameOf(path);
    if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), path);
    const names = siblings.get(siblingKey(path));
    if (!names) siblings.set(siblingKey(path), [name]);
    else if (names.length < mostCompared) names.push(name);
  }
  return { byName, siblings };
}

/** Folder and extension. */
const siblingKey = (path: string): string => `${folderOf(path)}/${/\.[a-z]+$/i.exec(path)?.[0].toLowerCase() ?? ""}`;
