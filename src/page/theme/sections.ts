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
