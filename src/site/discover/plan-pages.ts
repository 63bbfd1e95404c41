import { folderOf, nameOf } from "../../lib/url/index.js";
import type { Seo, SiteSettings } from "../config/index.js";
import type { Frontmatter, PageFrontmatter, PagePlan } from "../site.js";
import { noDirectory, type Placement } from "./build-sidebar.js";
import type { PageFacts } from "./page-facts.js";
import type { ResolvedNavigation } from "./resolve-navigation.js";

/** A page to export, before its position in the navigation is known. */
export interface PageSource
  extends Pick<PagePlan, "urlPath" | "outputPath" | "sourcePath" | "api" | "unavailableSpec" | "generated"> {
  /** The source path, or the id of a generated page. */
  readonly id: string;
  readonly frontmatter: Frontmatter;
  readonly facts: PageFacts;
}

/** @param pages listed pages come first, in the order of the navigation. `pages[i]` becomes the plan with index i. */
export function planPages(
  pages: readonly PageSource[],
  navigation: ResolvedNavigation,
  { seo: { indexing }, redirects }: Pick<SiteSettings, "seo" | "redirects">,
): PagePlan[] {
  const placements = Map.groupBy(navigation.placements, (placement) => placement.page);
  const mainOf = (index: number): Placement | undefined => {
    const all = placements.get(index);
    const shown = all?.filter((placement) => placement.shown);
    return shown?.find((placement) => !placement.scope.hidden) ?? shown?.[0] ?? all?.[0];
  };
  const mains = pages.map((_, index) => mainOf(index));
  const guessDivision = createDivisionGuess(
    mains.flatMap((main, index) => (main ? [{ sourcePath: locationOf(pages[index]!), division: main.division }] : [])),
    navigation.scopes,
    mains[navigation.sections[0]?.landing ?? -1]?.division ?? 0,
  );
  const neighbours = neighboursOf(navigation, mains);
  const formerNames = formerNamesIn(redirects);

  return pages.map(({ id: _, facts, frontmatter, ...page }, index): PagePlan => {
    const main = mains[index];
    const all = placements.get(index) ?? [];
    const division = main?.division ?? guessDivision(locationOf(page));
    const scope = main?.scope ?? navigation.scopes[division]!;
    const mentions = {
      listed: main !== undefined,
      excluded: main !== undefined && all.every((placement) => placement.scope.excluded),
      unsearchable: main !== undefined && all.every((placement) => placement.scope.unsearchable),
    };
    return {
      index,
      ...page,
      frontmatter: withoutTexts(frontmatter),
      title: facts.title,
      sidebarTitle: facts.sidebarTitle,
      description: facts.description,
      icon: facts.icon,
      marker: markerOf({ frontmatter, api: page.api, protocol: facts.protocol }),
      deprecated: facts.deprecated,
      listed: mentions.listed,
      visible: main?.shown ?? false,
      ...inclusionOf(facts, mentions, indexing),
      boost: facts.boost ?? scope.boost,
      formerNames: formerNames.get(page.urlPath),
      contextual: facts.contextual,
      division,
      breadcrumbs: main?.breadcrumbs ?? noBreadcrumbs,
      ...neighbours.get(index),
      language: scope.language,
      version: scope.version,
      inDefaultScope: main ? all.some((placement) => placement.scope.inDefault) : scope.inDefault,
      directory: main?.directory ?? noDirectory,
    };
  });
}

/** The last segments of the addresses that redirect to each page, as words. One with a placeholder names many pages. */
function formerNamesIn(redirects: SiteSettings["redirects"]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const { source, destination } of redirects) {
    const path = destination.replace(/[?#].*/s, "");
    const name = nameOf(source).replace(/[-_]+/g, " ");
    const known = names.get(path) ?? [];
    if (name === "" || /[:*]/.test(source) || known.includes(name) || known.length === maxFormerNames) continue;
    names.set(path, [...known, name]);
  }
  return names;
}
const maxFormerNames = 12;

function withoutTexts(frontmatter: Frontmatter): PageFrontmatter {
  const rest = Object.entries(frontmatter).filter(([key]) => !/^(?:title|sidebarTitle|description)$/i.test(key));
  return rest.length === 0 ? noFrontmatter : (Object.fromEntries(rest) as PageFrontmatter);
}

/** Shared by all pages without front matter, so that it is cloned only once. */
const noFrontmatter: PageFrontmatter = {};

/** The path of a page among the files of the site; the address of a generated page. */
const locationOf = ({ generated, urlPath, sourcePath }: Omit<PageSource, "id" | "facts" | "frontmatter">): string =>
  generated ? urlPath.slice(1) : sourcePath;

const noBreadcrumbs: PagePlan["breadcrumbs"] = [];

/** The neighbours of each page in its own division, even if other divisions list it, too. */
function neighboursOf(
  navigation: ResolvedNavigation,
  mains: readonly (Placement | undefined)[],
): ReadonlyMap<number, Pick<PagePlan, "previous" | "next">> {
  const neighbours = new Map<number, Pick<PagePlan, "previous" | "next">>();
  for (const { id, order } of navigation.divisions)
    order.forEach((page, at) => {
      if (mains[page]?.division === id) neighbours.set(page, { previous: order[at - 1], next: order[at + 1] });
    });
  return neighbours;
}

/**
 * Chooses the sidebar of an unlisted page: the one of the first listed page in its folder or the nearest folder above, or of
 * the language with the folder's name; `fallback` if there is none.
 *
 * @param listed in the order of the navigation.
 */
function createDivisionGuess(
  listed: readonly { readonly sourcePath: string; readonly division: number }[],
  scopes: ResolvedNavigation["scopes"],
  fallback: number,
): (sourcePath: string) => number {
  const divisions = new Map<string, number>();
  for (const { sourcePath, division } of listed)
    for (let folder = folderOf(sourcePath); folder !== "" && !divisions.has(folder); folder = folderOf(folder))
      divisions.set(folder, division);
  for (const [division, { language }] of scopes.entries())
    if (language !== undefined && !divisions.has(language)) divisions.set(language, division);
  return (sourcePath) => {
    for (let folder = folderOf(sourcePath); folder !== ""; folder = folderOf(folder)) {
      const division = divisions.get(folder);
      if (division !== undefined) return division;
    }
    return fallback;
  };
}

/** Facts about all mentions of a page in the navigation. */
interface MentionFacts {
  readonly listed: boolean;
  /** Every mention is below a hidden container that is not `searchable`. */
  readonly excluded: boolean;
  /** Every mention is below a container with `searchable: false`. */
  readonly unsearchable: boolean;
}

/** Decides whether search, sitemap and AI outputs include a page. Its own `hidden: true` overrides its containers, `noindex` overrides all. */
function inclusionOf(
  facts: PageFacts,
  mentions: MentionFacts,
  indexing: Seo["indexing"],
): Pick<PagePlan, "indexed" | "searchable" | "noindex"> {
  const hidden = facts.hidden ?? mentions.excluded;
  const indexed = !facts.noindex && (indexing === "all" || (mentions.listed && !hidden));
  const searchable = indexed && (facts.searchable ?? !mentions.unsearchable);
  return { indexed, searchable, noindex: facts.noindex || (hidden && indexing !== "all") };
}

/** The facts on which the marker of a page depends. */
export type Marked = Pick<PageSource, "frontmatter" | "api"> & Pick<PageFacts, "protocol">;

/**
 * The word on the pill next to a page's name: the HTTP method, WEBHOOK, or the protocol of a channel. Undefined for a page
 * without an endpoint, or if the writer turns it off.
 */
export function markerOf({ frontmatter, api, protocol }: Marked): string | undefined {
  const { openapi, api: endpoint, hideApiMarker } = frontmatter;
  if (hideApiMarker === true) return undefined;
  if (api?.kind === "operation") return api.method.toUpperCase();
  if (api?.kind === "webhook") return "WEBHOOK";
  if (api?.kind === "channel") return protocol;
  const written = openapi ?? endpoint;
  if (typeof written !== "string") return undefined;
  return /(?:^|\s)(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s/i.exec(written)?.[1]?.toUpperCase();
}
