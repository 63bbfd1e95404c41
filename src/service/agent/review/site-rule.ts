import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { loadSite } from "../../../export/index.js";
import { isContainer, type Json, textAt } from "../../../lib/json/index.js";
import { loadConfig } from "../../../site/config/index.js";
import { sortFiles } from "../../../site/discover/index.js";
import type { Site } from "../../../site/site.js";
import { ignoreTest, type SiteFiles } from "../../../site/source/index.js";
import { createSpecReader, parseSpecText } from "../../../site/specs/index.js";
import { foldedName, pathFault } from "../allowed-path.js";

/** What an agent may write in one site. */
export interface SiteRule {
  /** Why it may not write the file, as a sentence; undefined if it may. */
  refusal(path: string): string | undefined;
  /** Whether the site of the base branch reads the file. */
  reads(path: string): boolean;
  /** For a file that docs.json includes: the names of the settings around its content. Undefined for other files. */
  settingsAt(path: string): readonly string[] | undefined;
}

const isPage = (path: string): boolean => /\.mdx?$/.test(path);
/** Files for people and programs that work on the repository. */
const note =
  /^(?:readme|licen[cs]e|notice|changelog|contributing|code_of_conduct|security|support|governance|maintainers|authors|codeowners|agents|claude|gemini|skill|copilot-instructions|(?:issue|pull_request|merge_request)_template)\b.*\.md$/;

/**
 * Reads which files belong to a site: only those may be changed, and new pages, snippets, style sheets and media added.
 * Specifications and other data are writable only if the site reads them already, so that no change can first name a
 * file and then write it.
 *
 * @param base the site as its base branch has it, not the branch of the agent, to which earlier runs have pushed.
 */
export async function readSiteRule(base: string): Promise<SiteRule> {
  const { site, files } = await loadSite({ source: base, drafts: true });
  const pages = new Set(site?.pages.map(({ sourcePath }) => sourcePath));
  const isNote = (path: string): boolean => note.test(foldedName(path.split("/").at(-1)!)) && !pages.has(path);
  const { candidates, modules, styles, statics } = sortFiles(files.paths);
  const settings = settingsFiles(files);
  const read = new Set([
    ...settings.keys(),
    ...[...candidates, ...modules].filter((path) => isPage(path) && !isNote(path)),
    ...(site ? specFiles(site, files) : []),
    ...[...styles, ...statics.filter(isMedia)],
  ]);
  const rules = ignoreTest(ignoreFile(base), [], (path) => (files.has(path) ? files.readText(path) : undefined));
  const isIgnored = (path: string): boolean => typeof rules !== "function" || rules(path);

  const newRefusal = (path: string): string | undefined => {
    const similar = similarPath(base, path);
    if (similar !== undefined) return `There is ${similar}, which some systems treat as the same file.`;
    if (isPage(path) && isNote(path)) return "The agent does not write notes about the repository. Name a page .mdx.";
    const { candidates, notes, modules, styles } = sortFiles([path]);
    const isOfSite = [...candidates, ...modules, ...styles].includes(path) || isMedia(path);
    if (!isOfSite || notes.has(path))
      return "The agent only adds pages, snippets, style sheets and media. A specification must already be in the base branch, and docs.json or a page must name it.";
    return isIgnored(path) ? "The site does not publish a file at this path." : undefined;
  };
  return {
    reads: (path) => read.has(path),
    settingsAt: (path) => settings.get(path),
    refusal(path) {
      const fault = pathFault(path);
      if (fault !== undefined || read.has(path)) return fault;
      const exists = lstatSync(join(base, path), { throwIfNoEntry: false }) !== undefined;
      return exists ? "The site does not read this file, so the agent may not change it." : newRefusal(path);
    },
  };
}

export const isMedia = (path: string): boolean =>
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|m4v|webm|mov|ogv)$/i.test(path);

/** docs.json and the files that it includes, each with the names of the settings around its content. */
function settingsFiles(files: SiteFiles): ReadonlyMap<string, readonly string[]> {
  const { tracked, reads } = trackTexts(files);
  const { config } = loadConfig(tracked);
  const places = new Map<string, readonly string[]>(config ? [[config.sourcePath, []]] : []);
  const visit = (value: Json, path: string, steps: readonly string[]): void => {
    const ref = textAt(value, "$ref");
    const target = ref && posix.join(ref.startsWith("/") ? "" : posix.dirname(path), ref.replace(/^\/+/, ""));
    if (target !== undefined && !places.has(target)) places.set(target, steps);
    if (isContainer(value)) for (const [name, child] of Object.entries(value)) visit(child, path, [...steps, name]);
  };
  // The map grows by the files that are included on the way.
  for (const [path, steps] of places)
    if (reads.has(path)) visit(parseSpecText({ source: path, text: files.readText(path) }).value ?? null, path, steps);
  return new Map([...reads].map((path) => [path, places.get(path) ?? []]));
}

/** The specifications that docs.json and the pages name, with their overlays and the files that they refer to. */
function specFiles(site: Site, files: SiteFiles): readonly string[] {
  const { tracked, reads } = trackTexts(files);
  const reader = createSpecReader(tracked);
  const { openapi, asyncapi, arazzo } = site.specRefs;
  const named = [...openapi, ...asyncapi, ...arazzo, ...site.config.api.graphql, ...site.specs];
  for (const { source, ...ref } of named.filter(({ source }) => files.has(source)))
    reader.read(source, "overlays" in ref ? (ref.overlays ?? []) : []);
  return [...reads];
}

function trackTexts(files: SiteFiles): { readonly tracked: SiteFiles; readonly reads: ReadonlySet<string> } {
  const reads = new Set<string>();
  const readText = (path: string): string => {
    reads.add(path);
    return files.readText(path);
  };
  return { tracked: { ...files, readText }, reads };
}

function ignoreFile(base: string): string {
  const file = join(base, ".mintignore");
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : "";
}

/** A file or folder whose name differs from that of a path only in case or look-alike characters. */
function similarPath(base: string, path: string): string | undefined {
  let folder = "";
  for (const segment of path.split("/")) {
    const names = namesIn(join(base, folder));
    const similar = names.find((name) => name !== segment && foldedName(name) === foldedName(segment));
    if (similar !== undefined) return folder + similar;
    if (!names.includes(segment)) return undefined;
    folder += `${segment}/`;
  }
  return undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
