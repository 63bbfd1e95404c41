import { languageName, languageTag } from "../../lib/language/index.js";
import { portablePath } from "../../lib/portable-name.js";
import { accordionSlug, createSlugger, foldPath } from "../../lib/url/index.js";
import type { Footer, NavbarLink, NavKind } from "../../site/config/index.js";
import type { Division, NavSection, SidebarEntry, Site } from "../../site/site.js";

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
 * The tabs of the header: those of the innermost level with an active tab, then those of outer levels that have other
 * labels. `below` lists the levels of tabs inside the active one; `at` is the index of the header's level.
 */
export function tabsOf(levels: readonly Level[]): { at: number; shown?: Level; below: readonly Level[] } {
  const tabs = levels.filter(({ kind }) => kind === "tab");
  const active = tabs.findIndex((level) => level.active !== undefined);
  const nearest = active < 0 ? tabs.length - 1 : active;
  const level = tabs[nearest];
  if (level === undefined) return { at: -1, below: [] };
  const labels = new Set(level.options.map(({ label }) => label));
  const outer = tabs.slice(0, nearest).flatMap(({ options }) => options.filter(({ label }) => !labels.has(label)));
  const shown = { ...level, options: [...level.options, ...outer] };
  return { at: levels.indexOf(level), shown, below: tabs.slice(nearest + 1) };
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
  const id = division.sections.findLast((section) => sections[section]!.kind === kind);
  return id === undefined ? undefined : sections[id];
}

export const divisionsIn = ({ divisions }: Site, { id }: NavSection): readonly Division[] =>
  divisions.filter(({ sections }) => sections.includes(id));

/** The label of a section. Languages have their own names. */
export const sectionLabel = ({ kind, label }: Pick<NavSection, "kind" | "label">): string =>
  kind === "language" ? languageName(label) : label;

/** A part of the navigation that can be printed as one document. */
export interface PrintedSection {
  /** `_print/guides.html` */
  readonly outputPath: string;
  readonly label: string;
  /** Labels of the languages, versions and products around it, outermost first. */
  readonly around: readonly string[];
  /** BCP 47 tag. */
  readonly language: string;
  /** Each page once. */
  readonly entries: readonly PrintedEntry[];
}
export type PrintedEntry =
  | { readonly type: "page"; readonly page: number }
  | { readonly type: "group"; readonly label: string; readonly entries: readonly PrintedEntry[] };

const folder = "_print/";

/**
 * The printable sections of a site: one for each tab, product, dropdown or anchor with a sidebar. The sidebar of the
 * whole site, a language or a version has one for each top-level group, and one for the pages outside groups.
 */
export function printedSections(site: Site): PrintedSection[] {
  const slugs = createSlugger();
  for (const path of [...site.staticFiles, ...site.pages.map(({ outputPath }) => outputPath)])
    if (path.startsWith(folder)) slugs.unique(foldPath(path.slice(folder.length)).replace(/\.html$/, ""));

  return site.divisions.flatMap(({ sections, entries }) => {
    const chain = sections.map((id) => site.sections[id]!).filter(({ kind }) => kind !== "root");
    const language = languageTag(chain.find(({ kind }) => kind === "language")?.label);
    const last = chain.at(-1);
    const isWhole = last !== undefined && last.kind !== "language" && last.kind !== "version";
    const around = isWhole ? chain.slice(0, -1) : chain;
    const parts = isWhole ? [{ label: last.label, entries }] : partsOf(entries, site.config.name);
    return parts.flatMap((part): PrintedSection[] => {
      const printed = entriesOf(part.entries);
      if (printed.length === 0) return [];
      const words = [...around.map(({ label }) => label), part.label].map(accordionSlug).filter(Boolean);
      const slug = foldPath(words.join("-").slice(0, 100)) || "section";
      return [
        {
          outputPath: portablePath(`${folder}${slugs.unique(slug)}.html`),
          label: part.label,
          around: around.map(sectionLabel),
          language,
          entries: printed,
        },
      ];
    });
  });
}

/** The first section that contains a page, by the index of the page. */
export function sectionsByPage(sections: readonly PrintedSection[]): ReadonlyMap<number, PrintedSection> {
  const byPage = new Map<number, PrintedSection>();
  for (const section of sections)
    for (const page of printedPages(section.entries)) if (!byPage.has(page)) byPage.set(page, section);
  return byPage;
}

export const printedPages = (entries: readonly PrintedEntry[]): number[] =>
  entries.flatMap((entry) => (entry.type === "page" ? [entry.page] : printedPages(entry.entries)));

/** @param name names the part with the pages outside groups. */
function partsOf(entries: readonly SidebarEntry[], name: string) {
  const loose = { label: name, entries: entries.filter(({ type }) => type !== "group") };
  return [loose, ...entries.flatMap((entry) => (entry.type === "group" ? { ...entry, entries: within(entry) } : []))];
}

/** The entries of a group, beginning with its own page. */
const within = ({ root, entries }: Extract<SidebarEntry, { type: "group" }>): readonly SidebarEntry[] =>
  root === undefined ? entries : [{ type: "page", page: root }, ...entries];

const entriesOf = (entries: readonly SidebarEntry[], seen = new Set<number>()): PrintedEntry[] =>
  entries.flatMap((entry): PrintedEntry[] => {
    if (entry.type === "link") return [];
    if (entry.type === "group") {
      const inner = entriesOf(within(entry), seen);
      return inner.length === 0 ? [] : [{ type: "group", label: entry.label, entries: inner }];
    }
    if (seen.has(entry.page)) return [];
    seen.add(entry.page);
    return [{ type: "page", page: entry.page }];
  });
