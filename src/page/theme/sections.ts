import type { Footer, NavbarLink, NavKind } from "../../site/config/index.js";
import type { Division, NavSection, Site } from "../../site/site.js";

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
