import { createMemo, lazy } from "../../lib/memo.js";
import type { Division, NavSection, PagePlan, Site } from "../../site/site.js";
import { divisionsIn } from "./sections.js";

/** Finds the counterpart of a page in another section, else that section's first page. */
type Counterparts = (page: PagePlan, from: NavSection, to: NavSection) => number | undefined;

/** A set of pages that is compared with another scope. */
interface Scope {
  /** Folders to which paths may be relative, without a trailing slash, outermost first. */
  readonly folders: readonly string[];
  readonly byPath: ReadonlyMap<string, number>;
  /** Undefined for a title that several pages have. */
  readonly byTitle: ReadonlyMap<string, number | undefined>;
}

/** The scope of a page, and one that may contain its counterpart. */
type Pair = readonly [here: Scope, there: Scope];

/**
 * Finds the page with the same path in another language, version, product or dropdown. Paths are relative to the folder
 * of the section, or of the sidebar if both sections have the same sidebars. Otherwise, finds the only page there with
 * the same title. Between languages with different versions, it compares the versions of the same name, else the
 * default version. Each scope is read once, on demand, so that a page costs the same in a site of any size.
 */
export function createCounterparts(site: Site): Counterparts {
  const scopes = createMemo<Scope>();
  const inSection = createMemo<readonly Division[]>();
  // Pages of a sidebar are rendered in sequence. All pairs of 136 versions would need more memory than the pages.
  const pairs = createMemo<readonly Pair[]>(10_000);
  /** Number of sidebars that list each page. */
  const uses = lazy(() => {
    const counts = new Uint32Array(site.pages.length);
    for (const { order } of site.divisions) for (const index of order) counts[index]!++;
    return counts;
  });

  const divisionsOf = (section: NavSection) => inSection(section.id, () => divisionsIn(site, section));
  const scopeOf = (key: string, divisions: readonly Division[]): Scope =>
    scopes(key, () => {
      const indexes = divisions.flatMap(({ order }) => order);
      const byPath = new Map<string, number>();
      const byTitle = new Map<string, number | undefined>();
      for (const index of indexes) {
        const page = site.pages[index]!;
        const path = pathOf(page);
        if (!byPath.has(path)) byPath.set(path, index);
        byTitle.set(page.title, byTitle.has(page.title) && byTitle.get(page.title) !== index ? undefined : index);
      }
      // A page that versions share does not reveal their folders.
      const unshared = indexes.filter((index) => uses()[index] === 1);
      const folder = sharedFolder((unshared.length > 0 ? unshared : indexes).map((index) => site.pages[index]!));
      return { folders: foldersTo(folder), byPath, byTitle };
    });
  const sectionScope = (section: NavSection): Scope => scopeOf(`section ${section.id}`, divisionsOf(section));
  const divisionScope = (division: Division): Scope => scopeOf(`division ${division.id}`, [division]);

  /** The labels of the sections between a section and one of its sidebars. */
  const labelsBetween = ({ id }: NavSection, { sections }: Division): string =>
    JSON.stringify(sections.slice(sections.indexOf(id) + 1).map((inner) => site.sections[inner]!.label));
  /** The sidebar of the same name; if names are translated, the one in the same place. */
  const sameDivision = (division: Division, from: NavSection, to: NavSection): Division | undefined => {
    const here = divisionsOf(from);
    const there = divisionsOf(to);
    const labels = labelsBetween(from, division);
    const named = there.find((candidate) => labelsBetween(to, candidate) === labels);
    return named ?? (here.length === there.length ? there[here.indexOf(division)] : undefined);
  };
  const versionsBelow = ({ children }: NavSection): NavSection[] =>
    children.map((id) => site.sections[id]!).filter(({ kind }) => kind === "version");
  const versionPair = (division: Division, from: NavSection, to: NavSection): Pair | undefined => {
    if (from.kind !== "language") return undefined;
    const here = versionsBelow(from).find(({ id }) => division.sections.includes(id));
    const versions = versionsBelow(to);
    const there = versions.find(({ label }) => label === here?.label) ?? versions.find((version) => version.default);
    return (here ?? there) && [sectionScope(here ?? from), sectionScope(there ?? to)];
  };
  const pairsOf = (division: Division, from: NavSection, to: NavSection): readonly Pair[] =>
    pairs(`${division.id} ${from.id} ${to.id}`, () => {
      const same = sameDivision(division, from, to);
      const all = [
        [sectionScope(from), sectionScope(to)] as const,
        versionPair(division, from, to),
        same && ([divisionScope(division), divisionScope(same)] as const),
      ];
      return all.filter((pair) => pair !== undefined);
    });

  return (page, from, to) => {
    const division = site.divisions[page.division];
    if (division === undefined) return to.landing;
    const compared = pairsOf(division, from, to);
    for (const pair of compared) {
      const index = samePath(page, pair);
      if (index !== undefined) return index;
    }
    // Prefer the narrowest scope, which is the last.
    const titled = compared.findLast(([, there]) => there.byTitle.get(page.title) !== undefined);
    return titled?.[1].byTitle.get(page.title) ?? to.landing;
  };
}

/** The page with the same path, relative to the outermost folder possible. */
function samePath(page: PagePlan, [here, there]: Pair): number | undefined {
  const path = pathOf(page);
  for (const folder of here.folders) {
    if (!`${path}/`.startsWith(`${folder}/`)) return undefined;
    for (let at = there.folders.length - 1; at >= 0; at--) {
      const index = there.byPath.get(there.folders[at] + path.slice(folder.length));
      if (index !== undefined) return index;
    }
  }
  return undefined;
}

const pathOf = ({ urlPath }: PagePlan): string => (urlPath === "/" ? "" : urlPath);

/** The folder and up to four above it, outermost first. */
function foldersTo(folder: string): string[] {
  const folders = [folder];
  while (folders[0] !== "" && folders.length < 5) folders.unshift(folders[0]!.slice(0, folders[0]!.lastIndexOf("/")));
  return folders;
}

/** The folder that all these pages share, without a trailing slash. */
export function sharedFolder(pages: readonly PagePlan[]): string {
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
