import type { Footer, NavbarLink, NavKind } from "../../site/config/index.js";
import type { Division, NavSection, PagePlan, Site } from "../../site/site.js";

/** One level of the navigation above a page: all its options (such as the languages), and the active one. */
export interface Level {
  readonly kind: NavKind;
  readonly options: readonly NavSection[];
  readonly active?: NavSection;
}

/** The levels above a division's sidebar, outermost first. Hidden sections show only if they are active. */
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

/**
 * The tabs of the header: those around the reader, then those of outer levels that the reader is not in (a site's next
 * to a version's), unless they have the same label. `below` are tabs inside the active one; `at` is the place among the levels.
 */
export function tabsOf(levels: readonly Level[]): { at: number; shown?: Level; below: readonly Level[] } {
  const tabs = levels.filter(({ kind }) => kind === "tab");
  const active = tabs.findIndex((level) => level.active !== undefined);
  const nearest = active < 0 ? tabs.length - 1 : active;
  const level = tabs[nearest];
  if (level === undefined) return { at: -1, below: [] };
  const known = new Set(level.options.map(({ label }) => label));
  const outer = tabs.slice(0, nearest).flatMap(({ options }) => options.filter(({ label }) => !known.has(label)));
  return {
    at: levels.indexOf(level),
    shown: { ...level, options: [...level.options, ...outer] },
    below: tabs.slice(nearest + 1),
  };
}

/** The links of the header, for the site and for each section that has its own. */
export const navbarLinksOf = ({ config, sections }: Site): NavbarLink[] =>
  [config.navbar, ...sections.flatMap(({ navbar }) => navbar ?? [])].flatMap(({ links, primary }) =>
    primary ? [...links, primary] : links,
  );

export const footersOf = ({ config, sections }: Site): Footer[] => [
  config.footer,
  ...sections.flatMap(({ footer }) => footer ?? []),
];

/** The innermost section of this kind above a division. */
export function sectionOf(site: Site, division: Division, kind: NavKind): NavSection | undefined {
  for (let depth = division.sections.length - 1; depth >= 0; depth--) {
    const section = site.sections[division.sections[depth]!]!;
    if (section.kind === kind) return section;
  }
  return undefined;
}

/** The counterpart of a page in another section, else that section's first page. */
export type Counterparts = (page: PagePlan, from: NavSection, to: NavSection) => number | undefined;

/**
 * Finds the page with the same path in another language, version, product or dropdown, relative to the folder that a
 * section's pages share, or one above it. If only one of two languages has versions, or theirs differ, the version of
 * the same name is compared, else the default one. Each section is read once, on demand.
 */
export function createCounterparts(site: Site): Counterparts {
  interface Scope {
    /** Without a trailing slash; the root, which is empty, first. */
    readonly folders: readonly string[];
    readonly pages: ReadonlyMap<string, number>;
  }
  const scopes = new Map<number, Scope>();
  const scopeOf = (section: NavSection): Scope => {
    const known = scopes.get(section.id);
    if (known) return known;
    const indexes = site.divisions.filter((each) => each.sections.includes(section.id)).flatMap((each) => each.order);
    const pages = new Map<string, number>();
    for (const index of indexes) {
      const path = pathOf(site.pages[index]!);
      if (!pages.has(path)) pages.set(path, index);
    }
    const scope = { folders: foldersTo(sharedFolder(indexes.map((index) => site.pages[index]!))), pages };
    scopes.set(section.id, scope);
    return scope;
  };
  /** Prefers the longest common path. */
  const sameIn = (page: PagePlan, from: NavSection, to: NavSection): number | undefined => {
    const path = pathOf(page);
    const { folders, pages } = scopeOf(to);
    for (const folder of scopeOf(from).folders) {
      if (!`${path}/`.startsWith(`${folder}/`)) return undefined;
      for (let at = folders.length - 1; at >= 0; at--) {
        const found = pages.get(folders[at] + path.slice(folder.length));
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  const versionsBelow = ({ children }: NavSection): NavSection[] =>
    children.map((id) => site.sections[id]!).filter(({ kind }) => kind === "version");

  return (page, from, to) => {
    const same = sameIn(page, from, to);
    if (same !== undefined || from.kind !== "language") return same ?? to.landing;
    const sections = site.divisions[page.division]?.sections ?? [];
    const here = versionsBelow(from).find(({ id }) => sections.includes(id));
    const versions = versionsBelow(to);
    const there = versions.find(({ label }) => label === here?.label) ?? versions.find((version) => version.default);
    return (here ?? there) === undefined ? to.landing : (sameIn(page, here ?? from, there ?? to) ?? to.landing);
  };
}

const pathOf = ({ urlPath }: PagePlan): string => (urlPath === "/" ? "" : urlPath);

/** A folder and a few above it, outermost first. */
function foldersTo(folder: string): string[] {
  const folders = [folder];
  while (folders[0] !== "" && folders.length < 5) folders.unshift(folders[0]!.slice(0, folders[0]!.lastIndexOf("/")));
  return folders;
}

/** The folder shared by all these pages, without a trailing slash. */
function sharedFolder(pages: readonly PagePlan[]): string {
  const folders = pages.map(folderOf);
  let shared = folders[0] ?? "";
  for (const folder of folders)
    while (!`${folder}/`.startsWith(`${shared}/`)) shared = shared.slice(0, shared.lastIndexOf("/"));
  return shared;
}

const folderOf = ({ urlPath, sourcePath }: PagePlan): string => {
  const isFolderPage = /(?:^|\/)index\.mdx?$/i.test(sourcePath) && urlPath !== "/";
  return isFolderPage ? urlPath : urlPath.slice(0, urlPath.lastIndexOf("/"));
};
