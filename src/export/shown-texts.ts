import { shortHash } from "../lib/short-hash.js";
import type { PagePlan, SidebarEntry, Site } from "../site/site.js";

/** What a plan says about its page in words. They change more often than the rest of the navigation. */
const texts = ["title", "sidebarTitle", "description"] as const satisfies readonly (keyof PagePlan)[];

const textsOf = (page: PagePlan) => texts.map((name) => page[name]);

/** The plans of pages without their texts. */
export const withoutTexts = (pages: readonly PagePlan[]): readonly object[] =>
  pages.map(({ title: _, sidebarTitle: __, description: ___, ...plan }) => plan);

/**
 * The pages whose texts the documents of a division's pages may show: those of its sidebar, those that it is the division
 * of, and those that they lead to.
 */
function pagesByDivision({ pages, divisions }: Site): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  const pagesOf = (division: number): Set<number> => {
    const known = found.get(division) ?? new Set();
    found.set(division, known);
    return known;
  };
  const addEntries = (entries: readonly SidebarEntry[], to: Set<number>): void => {
    for (const entry of entries) {
      if (entry.type === "page") to.add(entry.page);
      if (entry.type !== "group") continue;
      if (entry.root !== undefined) to.add(entry.root);
      addEntries(entry.entries, to);
    }
  };
  for (const { id, order, entries } of divisions) {
    const own = pagesOf(id);
    for (const page of order) own.add(page);
    addEntries(entries, own);
  }
  for (const { index, division, previous, next, directory } of pages) {
    const own = pagesOf(division).add(index);
    if (previous !== undefined) own.add(previous);
    if (next !== undefined) own.add(next);
    for (const page of directory.pages) own.add(page);
  }
  return found;
}

/** Hashes of the texts of all pages, and of those that the documents of each division may show. */
export function shownAnswers(site: Site) {
  const ofDivision = new Map<number, string>();
  for (const [division, pages] of pagesByDivision(site)) {
    const shown = [...pages].sort((a, b) => a - b).map((page) => textsOf(site.pages[page]!));
    ofDivision.set(division, shortHash(JSON.stringify(shown)));
  }
  return { all: shortHash(JSON.stringify(site.pages.map(textsOf))), ofDivision };
}

/** Notices whether documents show texts of other pages than those. */
export interface ShownTexts {
  /** The site for the stages that make documents. */
  readonly site: Site;
  /** Call it before each document. */
  begin(plan: PagePlan): void;
  /** A question of the read log, if it asks for a text. */
  noteQuestion(question: string): void;
  /** Whether this document, or one before, shows other texts: a later one may use what was made for it. */
  showsOthers(): boolean;
}

export function noteShownTexts(site: Site): ShownTexts {
  const allowed = pagesByDivision(site);
  let pages: ReadonlySet<number> | undefined;
  let showsOthers = false;
  const note = (index: number): void => {
    if (!pages?.has(index)) showsOthers = true;
  };
  const noted = Object.create(
    null,
    Object.fromEntries(
      texts.map((name) => [
        name,
        {
          enumerable: true,
          get(this: PagePlan) {
            note(this.index);
            return site.pages[this.index]![name];
          },
        },
      ]),
    ),
  ) as object;
  const plans = withoutTexts(site.pages).map((plan) => Object.assign(Object.create(noted), plan) as PagePlan);
  return {
    site: { ...site, pages: plans },
    begin: ({ division }) => {
      pages = allowed.get(division);
    },
    noteQuestion(question) {
      if (question.startsWith("title ")) showsOthers = true;
    },
    showsOthers: () => showsOthers,
  };
}
