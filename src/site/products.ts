import type { Division, Site } from "./site.js";

/**
 * Number of the product around each division, from 1 in the order of the navigation; 0 outside of products. All are 0 for
 * a site with fewer than two products.
 */
export function divisionProducts({ sections, divisions }: Pick<Site, "sections" | "divisions">): number[] {
  const products = sections.filter(({ kind }) => kind === "product").map(({ id }) => id);
  const numberOf = (division: Division): number =>
    1 + products.indexOf(division.sections.findLast((id) => products.includes(id)) ?? -1);
  return products.length < 2 ? divisions.map(() => 0) : divisions.map(numberOf);
}

/** Number of the product of each page; 0 also for a page of several products. */
export function pageProducts(site: Site): Uint8Array {
  const ofDivision = divisionProducts(site);
  const ofPage = Uint8Array.from(site.pages, ({ division }) => ofDivision[division] ?? 0);
  for (const [at, { order }] of site.divisions.entries())
    for (const page of order) if (ofPage[page] !== ofDivision[at]) ofPage[page] = 0;
  return ofPage;
}
