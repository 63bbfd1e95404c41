// A documentation site as its authors wrote it: the pages that its navigation names, and the files that are pages. Nothing of
// `src` is used, so that a mistake there cannot hide here.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { listOf, parseFile, type Record_, recordOf, textOf, type Value } from "../specs/source-files.ts";

export interface SourcePage {
  /** Relative to the site, with the extension. */
  readonly file: string;
  readonly isInNavigation: boolean;
}

export interface SourceSite {
  readonly folder: string;
  /** Those of the navigation first, in its order. */
  readonly pages: readonly SourcePage[];
  /** Values of `{{name}}`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Addresses that lead elsewhere, so that a page of this name need not exist. */
  readonly redirected: ReadonlySet<string>;
}

/** The settings of a site; mint.json is the name of the older format. */
const settingsOf = (folder: string): string | undefined =>
  ["docs.json", "mint.json"].find((name) => existsSync(join(folder, name)));

/** Deepest that a repository holds its site, as in `packages/docs`. */
const maxDepth = 4;

/**
 * Folders with a docs.json or mint.json: `folder` itself, or those in it and below. Names are relative to it.
 * @returns also the folders in it that hold none, so that a site which is somewhere else is no silent success.
 */
export function findSites(folder: string): { readonly sites: string[]; readonly without: string[] } {
  if (settingsOf(folder) !== undefined) return { sites: [""], without: [] };
  const sites: string[] = [];
  const without: string[] = [];
  for (const name of foldersIn(folder)) {
    const found = sitesBelow(folder, name, 1);
    sites.push(...found);
    if (found.length === 0) without.push(name);
  }
  return { sites, without };
}

function sitesBelow(root: string, folder: string, depth: number): string[] {
  if (settingsOf(join(root, folder)) !== undefined) return [folder];
  if (depth === maxDepth) return [];
  return foldersIn(join(root, folder)).flatMap((name) => sitesBelow(root, posix.join(folder, name), depth + 1));
}

/** Links are not followed: they may lead back. */
const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:\.|_|node_modules$)/.test(entry.name))
    .map(({ name }) => name)
    .sort();

/** @throws if the settings are no JSON. */
export function readSite(folder: string): SourceSite {
  const settings = recordOf(withReferences(folder, settingsOf(folder)!, 0));
  const files = filesIn(folder);
  const listed = new Set<string>();
  for (const entry of entriesIn(settings["navigation"])) {
    const name = posix.normalize(entry.replace(/^\/+|[#?].*$|\/+$/g, "")).normalize();
    const file = [name, `${name}.mdx`, `${name}.md`, `${name}/index.mdx`, `${name}/index.md`].find(
      (path) => /\.mdx?$/.test(path) && files.has(path),
    );
    if (file !== undefined) listed.add(file);
  }
  const others = [...files].filter((file) => !listed.has(file) && isPage(folder, file)).sort();
  return {
    folder,
    pages: [
      ...[...listed].map((file) => ({ file, isInNavigation: true })),
      ...others.map((file) => ({ file, isInNavigation: false })),
    ],
    variables: recordOf(settings["variables"]) as Record<string, string>,
    redirected: new Set(
      listOf(settings["redirects"]).map((each) => textOf(recordOf(each)["source"]).replace(/^\/+|\/+$/g, "")),
    ),
  };
}

/** Replaces each `{"$ref": "file.json"}` by the content of the file. */
function withReferences(folder: string, file: string, depth: number): Value {
  const visit = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as Record_;
    const own = Object.fromEntries(Object.entries(rest).map(([name, child]) => [name, visit(child ?? null)]));
    if (typeof $ref !== "string" || depth > 10) return own;
    const path = posix.join(posix.dirname(file), $ref);
    if (path.startsWith("..") || !existsSync(join(folder, path))) return own;
    const content = withReferences(folder, path, depth + 1);
    return Array.isArray(content) ? content : { ...recordOf(content), ...own };
  };
  return visit(parseFile(join(folder, file)));
}

/** The strings of all lists `pages`, and the `root` of groups, however deep. */
function* entriesIn(value: Value | undefined): Generator<string> {
  if (Array.isArray(value)) for (const child of value) yield* entriesIn(child);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [name, child] of Object.entries(value as Record_)) {
    if (name === "root" && typeof child === "string") yield child;
    if (name === "pages") for (const each of listOf(child)) if (typeof each === "string") yield each;
    yield* entriesIn(child);
  }
}

const otherFolders = /(?:^|\/)(?:\.[^/]*|_[^/]*|node_modules|snippets)\//;
const otherFiles =
  /(?:^|\/)(?:README|LICENSE|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|AGENTS?|CLAUDE|GEMINI|SKILL)(?:\.[a-z-]+)?\.mdx?$/i;

function filesIn(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.mdx?$/.test(entry.name));
  return new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).normalize()));
}

/** A file outside the navigation is a page unless its name or place says otherwise. */
function isPage(folder: string, file: string): boolean {
  if (otherFolders.test(file) || otherFiles.test(file)) return false;
  return /^(?:\uFEFF)?\s*---\s*\n/.test(readFileSync(join(folder, file), "utf8")) && !isIgnored(folder, file);
}

const ignored = new Map<string, readonly RegExp[]>();
function isIgnored(folder: string, file: string): boolean {
  let patterns = ignored.get(folder);
  if (patterns === undefined) {
    const path = join(folder, ".mintignore");
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    patterns = lines
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map(patternOf);
    ignored.set(folder, patterns);
  }
  return patterns.some((pattern) => pattern.test(file));
}

function patternOf(line: string): RegExp {
  const isAnchored = /\/(?!$)/.test(line);
  const body = line
    .replace(/^\/|\/$/g, "")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (sign) => (sign.startsWith("**") ? ".*" : sign === "*" ? "[^/]*" : "[^/]"));
  return new RegExp(`${isAnchored ? "^" : "(?:^|/)"}${body}(?:/|$)`);
}

/** Where the bundle may hold the page of a source file. */
export function bundlePathsOf(file: string): string[] {
  // The characters that Windows cannot store are escaped.
  const stem = file
    .replace(/\.mdx?$/, "")
    .replace(/[<>:"|?*]/g, (sign) => `~${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const folder = dirname(stem);
  const isIndex = posix.basename(stem) === "index";
  // A page beside the folder may have taken the address of the index.
  return [`${stem}.html`, ...(isIndex && folder !== "." ? [`${folder}.html`] : []), `${stem}/index.html`];
}
