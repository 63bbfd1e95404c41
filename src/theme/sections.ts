import type { NavKind } from "../config/site-config.js";
import type { Division, NavSection, PagePlan, Site } from "../discover/site.js";

/** One choice that a page's place in the navigation was made by: all its languages, and the one it is in. */
export interface Level {
  readonly kind: NavKind;
  readonly options: readonly NavSection[];
  readonly active?: NavSection;
}

/** The levels above a division's sidebar, outermost first. Hidden sections show only when they are the active one. */
export function levelsOf(site: Site, division: Division): Level[] {
  const levels: Level[] = [];
  division.sections.forEach((id, depth) => {
    const active = site.sections[division.sections[depth + 1] ?? -1];
    const children = site.sections[id]!.children.map((child) => site.sections[child]!);
    for (const kind of new Set(children.map((child) => child.kind))) {
      const options = children.filter((child) => child.kind === kind && (!child.hidden || child === active));
      if (kind !== "root" && kind !== "group" && options.length > 0)
        levels.push({ kind, options, active: active?.kind === kind ? active : undefined });
    }
  });
  return levels;
}

/** The innermost section of this kind above a division. */
export function sectionOf(site: Site, division: Division, kind: NavKind): NavSection | undefined {
  for (let depth = division.sections.length - 1; depth >= 0; depth--) {
    const section = site.sections[division.sections[depth]!]!;
    if (section.kind === kind) return section;
  }
  return undefined;
}

/**
 * Finds the page of another language, version, product or dropdown that stands where the reader is: the one whose
 * address is the same below the folder that the section's pages share. Each section is read once, when first asked for.
 */
export function createCounterparts(
  site: Site,
): (page: PagePlan, from: NavSection, to: NavSection) => number | undefined {
  interface Scope {
    readonly folder: number;
    readonly pages: ReadonlyMap<string, number>;
  }
  const scopes = new Map<number, Scope>();
  const scopeOf = (section: NavSection): Scope => {
    const known = scopes.get(section.id);
    if (known) return known;
    const indexes = site.divisions.filter((each) => each.sections.includes(section.id)).flatMap((each) => each.order);
    const folder = sharedFolder(indexes.map((index) => site.pages[index]!));
    const pages = new Map<string, number>();
    for (const index of indexes) {
      const key = keyOf(site.pages[index]!, folder);
      if (!pages.has(key)) pages.set(key, index);
    }
    const scope = { folder, pages };
    scopes.set(section.id, scope);
    return scope;
  };
  return (page, from, to) => scopeOf(to).pages.get(keyOf(page, scopeOf(from).folder)) ?? to.landing;
}

/** What of an address lies below a folder; nothing for the folder's own page. */
const keyOf = ({ urlPath }: PagePlan, folder: number): string => urlPath.slice(folder).replace(/^\/$/, "");

/** Length of the folder that all these pages stand in, without a slash at the end. */
function sharedFolder(pages: readonly PagePlan[]): number {
  const folders = pages.map(folderOf);
  let shared = folders[0] ?? "";
  for (const folder of folders)
    while (!`${folder}/`.startsWith(`${shared}/`)) shared = shared.slice(0, shared.lastIndexOf("/"));
  return shared.length;
}

const folderOf = ({ urlPath, sourcePath }: PagePlan): string => {
  const isFolderPage = /(?:^|\/)index\.mdx?$/i.test(sourcePath) && urlPath !== "/";
  return isFolderPage ? urlPath : urlPath.slice(0, urlPath.lastIndexOf("/"));
};
