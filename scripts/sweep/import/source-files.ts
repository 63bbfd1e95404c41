// Files of a repository, and the formats that several tools have.
import { dirname, posix } from "node:path";
import { parse } from "yaml";
import type { SourceNode } from "./source-nodes.ts";

export interface Files {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly has: (path: string) => boolean;
  readonly read: (path: string) => string;
}

export const isPage = (path: string): boolean => /\.mdx?$/.test(path);
export const under = (folder: string, path: string): boolean =>
  folder === "" || folder === "." || path.startsWith(`${folder}/`);

export function docsDir(files: Files, mark: string): string {
  const written = (yamlOf(files.read(mark)) as { docs_dir?: string }).docs_dir ?? "docs";
  return posix.join(dirname(mark), written.replace(/\/+$/, ""));
}

/** The folder of the pages, and those of other languages next to it: `docs/en/docs`, `docs/fr/docs`. */
export function mkdocsFolders(files: Files, mark: string): string[] {
  const own = docsDir(files, mark);
  const [, before, inner] = /^(.*\/)?[a-z]{2}(\/docs)$/.exec(own) ?? [];
  if (inner === undefined) return [own];
  const others = new RegExp(`^${before ?? ""}[a-z]{2}(?:-[a-z]+)?${inner}(?=/)`);
  return [...new Set([own, ...files.paths.flatMap((path) => others.exec(path)?.[0] ?? [])])];
}

export const bookSummary = (files: Files, mark: string): string =>
  posix.join(dirname(mark), /^\s*src\s*=\s*["']([^"']+)["']/m.exec(files.read(mark))?.[1] ?? "src", "SUMMARY.md");

/** The nested lists of a file in Markdown, whose headings begin parts. @param partMark a line with such a heading @param top where paths may begin */
export function listedIn(
  files: Files,
  path: string,
  partMark = /^#{1,2}\s+(.+?)\s*$/,
  top = dirname(path),
): SourceNode[] {
  if (!files.has(path)) return [];
  const all: SourceNode[] = [];
  let part = all;
  let stack = [{ indent: -1, items: all }];
  let isFirst = true;
  for (const line of files
    .read(path)
    .replace(/<!--[\s\S]*?-->/g, "")
    .split("\n")) {
    const heading = partMark.exec(line)?.[1]?.replace(/\s*<a [^<>]*><\/a>\s*/g, "");
    // The first heading is the title of the file.
    if (heading !== undefined && !(isFirst && /^#\s/.test(line) && all.length === 0)) {
      part = [];
      all.push({ kind: "group", label: heading, items: part });
    }
    if (/^\s*-{3,}\s*$/.test(line)) part = all;
    const [, blanks = "", mark, item = ""] =
      /^(\s*)([-*+]\s+)?(\S.*?)\s*$/.exec(line.replace(/<\/?(?:span|i|b|br)\b[^<>]*> ?/g, "")) ?? [];
    const [, label, href] =
      /^\[((?:[^[\]\\\n]|\\.|\[[^\]\n]*\])+)\]\(<?\/?((?:[^\s()<>]|\([^\s()<>]*\))*)>?(?:\s[^)\n]*)?\)$/.exec(item) ??
      [];
    if (/^#{1,6}\s/.test(line) && heading === undefined) continue;
    if (heading !== undefined || mark === undefined) stack = [{ indent: -1, items: part }];
    isFirst &&= heading === undefined;
    if (heading !== undefined || (mark === undefined && label === undefined) || /^-{2,}$/.test(item)) continue;
    const written = decode((href ?? "").replace(/^#\//, "").replace(/[?#].*$/, ""));
    const file = [dirname(path), top]
      .flatMap((from) => ["", ".md", "/README.md"].map((end) => posix.join(from, written + end)))
      .find((each) => written !== "" && files.has(each) && isPage(each));
    const isText = label === undefined && !/[[\]<>]/.test(item);
    const items: SourceNode[] = [];
    while (stack.length > 1 && stack.at(-1)!.indent >= blanks.length) stack.pop();
    if (file !== undefined || isText)
      stack.at(-1)!.items.push({
        kind: "group",
        label: (label ?? item.replace(/[*_]/g, "")).replace(/\\(.)/g, "$1"),
        file,
        items,
      });
    stack.push({ indent: blanks.length, items: file !== undefined || isText ? items : stack.at(-1)!.items });
  }
  return all;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The settings of Zensical, which are TOML: their navigation, written in lists and objects, and their folder. */
function zensicalOf(text: string): unknown {
  const nav = /^nav = (\[[\s\S]*?^\])/m
    .exec(text)?.[1]
    ?.replace(/#[^"\n]*$/gm, "")
    .replace(/"\s*=\s*/g, '": ');
  return { nav: nav && parse(nav), docs_dir: /^docs_dir = "([^"]+)"/m.exec(text)?.[1] };
}

export function yamlOf(written: string): unknown {
  if (/^\[project\]/m.test(written)) return zensicalOf(written);
  // The environment of MkDocs: the default of a variable.
  const text = written.replace(/!ENV\s*\[[^\],]*,\s*("[^"]*"|[^\],]*),?\s*\]/g, "$1");
  try {
    return parse(text, { logLevel: "silent", uniqueKeys: false }) ?? {};
  } catch {
    return parse(text.replace(/!![\w/:.]+(?:\s+''|\s+"")?/g, ""), { logLevel: "silent", uniqueKeys: false }) ?? {};
  }
}

export const headText = (text: string): string =>
  /^\s*(?:---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\+\+\+)/.exec(text)?.[1] ?? "";
