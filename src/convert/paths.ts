import { folderOf } from "../lib/url/index.js";
import type { ProjectPage } from "./project.js";

/** Names at the top that a site of ours ignores, or that its files need. */
const reserved = /^(?:build|dist|coverage|te?mp|node_modules|snippets|_offprint)$/i;

/** A path that every system takes and that a site of ours does not ignore: no name in it starts with a dot. */
export const portable = (path: string): string =>
  path
    .split("/")
    .map((name) =>
      name
        .replace(/^\.+/, "")
        .replace(/[^\p{L}\p{M}\p{N}._~()@+,& -]/gu, "-")
        .trim(),
    )
    .filter((name) => name !== "")
    .map((name, i, names) => (i === 0 && names.length > 1 && reserved.test(name) ? `${name}-pages` : name))
    .join("/");

/** The path of each new page, without extension, by its source: its address, so that links to it keep working. */
export function newPaths(pages: readonly ProjectPage[]): Map<string, string> {
  const taken = new Set<string>();
  const paths = new Map<string, string>();
  const folders = new Set(pages.flatMap(({ address }) => foldersOf(portable(address))));
  for (const { source, address } of pages) {
    const plain = portable(address);
    const wanted = plain === "" ? "index" : folders.has(plain) ? `${plain}/index` : plain;
    let path = wanted;
    for (let n = 2; taken.has(path.toLowerCase()); n++) path = `${wanted}-${n}`;
    taken.add(path.toLowerCase());
    paths.set(source, path);
  }
  return paths;
}

const foldersOf = (path: string): string[] => {
  const folders: string[] = [];
  for (let at = folderOf(path); at !== ""; at = folderOf(at)) folders.push(at);
  return folders;
};
