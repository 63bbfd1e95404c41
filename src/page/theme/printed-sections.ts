import { languageTag } from "../../lib/language/index.js";
import { portablePath } from "../../lib/portable-name.js";
import { accordionSlug, createSlugger, foldPath } from "../../lib/url/index.js";
import type { SidebarEntry, Site } from "../../site/site.js";
import { sectionLabel } from "./sections.js";

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
 * The sections of a site: one for each tab, product, dropdown or anchor with a sidebar. The sidebar of the whole site, a
 * language or a version has one for each top-level group, and one for the pages outside groups.
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

/** The first section that has a page, by the index of the page. */
export function sectionsByPage(sections: readonly PrintedSection[]): ReadonlyMap<number, PrintedSection> {
  const byPage = new Map<number, PrintedSection>();
  for (const section of sections)
    for (const page of printedPages(section.entries)) if (!byPage.has(page)) byPage.set(page, section);
  return byPage;
}

export const printedPages = (entries: readonly PrintedEntry[]): number[] =>
  entries.flatMap((entry) => (entry.type === "page" ? [entry.page] : printedPages(entry.entries)));

/** @param name of the part with the pages outside groups. */
function partsOf(entries: readonly SidebarEntry[], name: string) {
  const loose = { label: name, entries: entries.filter(({ type }) => type !== "group") };
  return [loose, ...entries.flatMap((entry) => (entry.type === "group" ? { ...entry, entries: within(entry) } : []))];
}

/** A group's own page comes first. */
const within = ({ root, entries }: Extract<SidebarEntry, { type: "group" }>): readonly SidebarEntry[] =>
  root === undefined ? entries : [{ type: "page", page: root }, ...entries];

function entriesOf(entries: readonly SidebarEntry[], seen = new Set<number>()): PrintedEntry[] {
  return entries.flatMap((entry): PrintedEntry[] => {
    if (entry.type === "link") return [];
    if (entry.type === "group") {
      const inner = entriesOf(within(entry), seen);
      return inner.length === 0 ? [] : [{ type: "group", label: entry.label, entries: inner }];
    }
    if (seen.has(entry.page)) return [];
    seen.add(entry.page);
    return [{ type: "page", page: entry.page }];
  });
}
