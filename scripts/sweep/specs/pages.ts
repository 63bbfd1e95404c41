// The pages of a bundle, read when they are needed.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Box, readWrittenPage, targetOf, type WrittenPage } from "./written-page.ts";

export interface Pages {
  /** Paths of all documents with content; redirects and the page of the code 404 are left out. */
  readonly paths: readonly string[];
  /** Undefined if the bundle has no such page. */
  page(path: string): WrittenPage | undefined;
  /** The part that a link on a page leads to: a page, or the part with its id. */
  follow(page: WrittenPage, href: string): Box | undefined;
  /** The pages of objects with one of these names that the sidebar lists: a group to open, and a link. */
  listedObjects(names: readonly string[]): readonly WrittenPage[];
  /** Whether the sidebar lists a page about a structure. */
  isListedObject(path: string): boolean;
  /** Forgets pages that only one operation needs. */
  forget(path: string): void;
}

export function openPages(bundle: string): Pages {
  const paths = readdirSync(bundle, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html") && path !== "404.html")
    .filter((path) => statSync(join(bundle, path)).size > 2_000 || !isRedirect(join(bundle, path)))
    .sort();
  const sidebar = sidebarText(bundle, paths);
  const isListedObject = (path: string): boolean =>
    /(?:^|\/)(?:models|objects|schemas)\//.test(path) && sidebar.includes(path.replace(/\.html$/, ""));
  /** Pages in the sidebar that are about a structure, by their titles in small letters, without what tells them apart. */
  const objects = new Map<string, string[]>();
  let areObjectsRead = false;
  const known = new Map<string, WrittenPage | undefined>();
  const page = (path: string): WrittenPage | undefined => {
    if (!known.has(path)) known.set(path, existsSync(join(bundle, path)) ? readWrittenPage(bundle, path) : undefined);
    return known.get(path);
  };
  return {
    paths,
    page,
    follow(from, href) {
      const target = targetOf(from, href);
      if (target === undefined) return undefined;
      const to = target.path === from.path ? from : page(target.path);
      if (to === undefined) return undefined;
      return target.id === undefined ? to.root : to.byId.get(target.id);
    },
    listedObjects(names) {
      if (!areObjectsRead) {
        areObjectsRead = true;
        for (const path of paths) {
          if (!isListedObject(path)) continue;
          const title = page(path)!.title.toLowerCase();
          for (const name of new Set([title, title.replace(/ \([^()]*\)$/, "")]))
            objects.set(name, [...(objects.get(name) ?? []), path]);
          known.delete(path);
        }
      }
      return [...new Set(names.flatMap((name) => objects.get(name.toLowerCase()) ?? []))].map((path) => page(path)!);
    },
    isListedObject,
    forget: (path) => known.delete(path),
  };
}

const isRedirect = (path: string): boolean => /http-equiv="?refresh/i.test(readFileSync(path, "utf8"));

/** The entries of the sidebar: in a script of a large site, else in each page. */
function sidebarText(bundle: string, paths: readonly string[]): string {
  const folder = join(bundle, "_offprint/nav");
  const scripts = existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
  const first = paths[0] === undefined ? "" : readFileSync(join(bundle, paths[0]), "utf8");
  return [...scripts, first.slice(0, first.indexOf("<main"))].join("\n");
}
