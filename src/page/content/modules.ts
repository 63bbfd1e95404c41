/** The files that pages consist of. Each is parsed once and cached while there is room. */
import { type Diagnostic, nearestName } from "../../lib/diagnostic/index.js";
import { folderOf, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { findFrontmatter } from "./frontmatter/frontmatter.js";
import { type ModuleParts, readMdxParts, readScriptParts } from "./module-parts.js";
import type { MarkdownParsers } from "./parse/markdown-parsers.js";
import { type MarkdownSource, type ParsedMarkdown, parseMarkdown } from "./parse/parse-markdown.js";
import { findTextFaults } from "./parse/text-faults.js";

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

/** Most characters of source that are cached. Their trees take about 20 times as many bytes. */
const maxCachedChars = 6 * 1024 * 1024;

export interface Modules {
  /** A page: parsed each time, so its tree may be changed. */
  readPage(sourcePath: string, source?: string): MarkdownModule;
  /** A snippet: shared, so its tree must not be changed. `sourcePath` is one of the site's files. */
  readShared(sourcePath: string): ContentModule;
}

export function createModules(
  files: SiteFiles,
  parsers: MarkdownParsers,
  how: Pick<MarkdownSource, "latex" | "isKnown" | "itemsOf">,
): Modules {
  const cached = new Map<string, ContentModule>();
  let chars = 0;
  const readMarkdown = (sourcePath: string, source: string): MarkdownModule => {
    const bodyStart = findFrontmatter(source)?.bodyStart ?? 0;
    const file: MarkdownSource = { source, sourcePath, bodyStart, ...how };
    let parsed = parseMarkdown(parsers, file);
    let parts = readMdxParts(parsed.tree, sourcePath);
    if (parts.diagnostics.length > 0) {
      parsed = parseMarkdown(parsers, { ...file, hasFaultyModule: true });
      parts = readMdxParts(parsed.tree, sourcePath);
    }
    const { tree, spans, ok } = parsed;
    const faults = ok ? findTextFaults({ tree, source, sourcePath, bodyStart, spans }) : [];
    if (faults.length > 0) parsed = { ...parsed, diagnostics: [...parsed.diagnostics, ...faults] };
    return { kind: "markdown", sourcePath, source, parsed, parts };
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
      let module = cached.get(sourcePath);
      if (module === undefined) {
        module = read(sourcePath);
        chars += module.source.length;
      } else {
        files.again?.(sourcePath);
        cached.delete(sourcePath);
      }
      cached.set(sourcePath, module);
      for (const [oldest, { source }] of cached) {
        if (chars <= maxCachedChars || oldest === sourcePath) break;
        cached.delete(oldest);
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

/** The file that a missing path probably means: of the same name in another folder, or of a similar name in the same folder. */
export type NearestFile = (path: string) => string | undefined;

/** Names that a search compares, so that a mistake costs no more in a large folder. */
const maxCompared = 300;

/** Builds its index on first use; the time of a search does not depend on the size of the site. */
export function createNearestFile(files: Pick<SiteFiles, "paths">): NearestFile {
  let index: ReturnType<typeof indexOf> | undefined;
  return (path) => {
    const { paths } = files;
    index ??= indexOf(paths);
    const file = /\.[a-z]+$/i.test(path) ? path : `${path}.mdx`;
    const named = index.byName.get(nameOf(file).toLowerCase());
    if (named !== undefined) return named;
    const near = nearestName(nameOf(file), index.siblings.get(siblingKey(file)) ?? []);
    return near === undefined ? undefined : file.slice(0, file.lastIndexOf("/") + 1) + near;
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
    else if (names.length < maxCompared) names.push(name);
  }
  return { byName, siblings };
}

/** Folder and extension. */
const siblingKey = (path: string): string => `${folderOf(path)}/${/\.[a-z]+$/i.exec(path)?.[0].toLowerCase() ?? ""}`;
