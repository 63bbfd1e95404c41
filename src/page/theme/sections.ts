import { languageName } from "../../lib/language/index.js";
import type { Footer, NavbarLink, NavKind } from "../../site/config/index.js";
import type { Division, NavSection, Site } from "../../site/site.js";

/** One level of the navigation above a page: all its options (such as the languages), and the active one. */
export interface Level {
  readonly kind: NavKind;
  readonly options: readonly NavSection[];
  readonly active?: NavSection;
}

/** The levels above a division's sidebar, outermost first. Hidden sections are options only while they are active. */
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
 * The tabs of the header: those around the reader, then those of outer levels (a site's beside a version's) with other
 * labels. `below` are the tabs inside the active one; `at` is their index among the levels.
 */
export function tabsOf(levels: readonly Level[]): { at: number; shown?: Level; below: readonly Level[] } {
  const tabs = levels.filter(({ kind }) => kind === "tab");
  const active = tabs.findIndex((level) => level.active !== undefined);
  const nearest = active < 0 ? tabs.length - 1 : active;
  const level = tabs[nearest];
  if (level === undefined) return { at: -1, below: [] };
  const labels = new Set(level.options.map(({ label }) => label));
  const outer = tabs.slice(0, nearest).flatMap(({ options }) => options.filter(({ label }) => !labels.has(label)));
  return {
    at: levels.indexOf(level),
    shown: { ...level, options: [...level.options, ...outer] },
    below: tabs.slice(nearest + 1),
  };
}

/** The header links of the site and of the sections that have their own. */
export const navbarLinksOf = ({ config, sections }: Site): NavbarLink[] =>
  [config.navbar, ...sections.flatMap(({ navbar }) => navbar ?? [])].flatMap(({ links, primary }) =>
    primary ? [...links, primary] : links,
  );

export const footersOf = ({ config, sections }: Site): Footer[] => [
  config.footer,
  ...sections.flatMap(({ footer }) => footer ?? []),
];

/** The innermost section of this kind above a division. */
export function sectionOf({ sections }: Site, division: Division, kind: NavKind): NavSection | undefined {
  const id = division.sections.findLast((each) => sections[each]!.kind === kind);
  return id === undefined ? undefined : sections[id];
}

export const divisionsIn = ({ divisions }: Site, { id }: NavSection): readonly Division[] =>
  divisions.filter(({ sections }) => sections.includes(id));

/** Languages are called by their own names. */
export const sectionLabel = ({ kind, label }: Pick<NavSection, "kind" | "label">): string =>
  kind === "language" ? languageName(label) : label;
