import { hash } from "node:crypto";
import type { Site } from "../site/site.js";
import type { PageParts } from "./page-part.js";
import type { PageStore } from "./page-store.js";

/** Pages that are looked up to estimate how many the store lacks. */
const samplePages = 200;

/** Indexes of the pages of each part. A page stays in its part while other pages come and go. */
export function pagesByPart({ pages }: Site, count: number): ReadonlyMap<number, readonly number[]> {
  return Map.groupBy(pages.keys(), (page) => partOf(pages[page]!.outputPath, count));
}

const partOf = (outputPath: string, count: number): number =>
  (Number.parseInt(hash("sha256", outputPath, "hex").slice(0, 12), 16) % count) + 1;

/** About how many pages the store lacks. */
export function missingPages({ pages }: Site, store: NonNullable<PageStore>): number {
  const step = Math.ceil(pages.length / samplePages);
  const sample = pages.filter((_, index) => index % step === 0);
  const missing = sample.filter((plan) => !store.find(plan.outputPath, plan));
  return Math.round((missing.length / sample.length) * pages.length);
}

/** Indexes of pages in the order in which this machine makes them, or their documents. */
export async function* orderOf(parts: PageParts, site: Site, store: NonNullable<PageStore>): AsyncGenerator<number> {
  const pages = pagesByPart(site, parts.count);
  for (let part = await parts.next(); part; part = await parts.next()) {
    if (part.files !== undefined) store.takeOver(part.files);
    yield* pages.get(part.index) ?? [];
  }
}
