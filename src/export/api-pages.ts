import { lazy } from "../lib/memo.js";
import type { PagePlan, Site } from "../site/site.js";
import type { ApiTarget } from "../site/specs/index.js";

/** A link to a part of a specification from the page at an output path. */
export type ApiLink = readonly [part: string, from: string];

export const apiLink = (target: ApiTarget, { outputPath }: Pick<PagePlan, "outputPath">): ApiLink => [
  partOf(target),
  outputPath,
];

/** What a link depends on. */
export const linkAnswer = (page: PagePlan | undefined): string => (page ? `${page.urlPath} ${page.outputPath}` : "");

const partOf = (target: ApiTarget): string => JSON.stringify(target);

/** Finds the page about a part: in the division of the page with the link, else in its language, else the first. */
export function createApiPages({ pages }: Site): (link: ApiLink) => PagePlan | undefined {
  const byPart = lazy(() =>
    Map.groupBy(
      pages.filter(({ api }) => api !== undefined),
      ({ api }) => partOf(api!),
    ),
  );
  const byPath = lazy(() => new Map(pages.map((page) => [page.outputPath, page])));
  return ([part, from]) => {
    const found = byPart().get(part) ?? [];
    const page = found.length > 1 ? byPath().get(from) : undefined;
    const near =
      found.find(({ division }) => division === page?.division) ??
      found.find(({ language }) => language === page?.language);
    return near ?? found[0];
  };
}
