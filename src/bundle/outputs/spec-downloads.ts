import { hash } from "node:crypto";
import { lazy } from "../../lib/memo.js";
import { accordionSlug } from "../../lib/url/index.js";
import { freeFolder } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { ApiTarget } from "../../site/specs/index.js";
import { isPublished } from "./published.js";

/** Output paths of the files that readers can download of a specification. */
export interface SpecDownloads {
  /** The specification as one JSON document. */
  readonly spec: string;
  /** A Postman collection. */
  readonly collection?: string;
}

/** The downloads of each specification that published pages are made from, by its key; empty if the site offers none. */
export function specDownloads(site: Site): ReadonlyMap<string, SpecDownloads> {
  const downloads = new Map<string, SpecDownloads>();
  if (!site.config.api.downloads) return downloads;
  const targets = publishedTargets(site);
  const folder = lazy(() => freeFolder(site, "downloads"));
  const stems = Map.groupBy(site.specs, ({ source }) => stemOf(source));
  for (const { key, source, format } of site.specs) {
    const specTargets = targets.get(key);
    if (specTargets === undefined || format === "graphql") continue;
    const stem = stemOf(source);
    const name = stems.get(stem)!.length === 1 ? stem : `${stem}-${hash("sha256", key).slice(0, 6)}`;
    const hasRequests = format === "openapi" && specTargets.some(({ kind }) => kind === "operation");
    const path = `${folder()}/${name}`;
    downloads.set(key, { spec: `${path}.json`, ...(hasRequests && { collection: `${path}.postman_collection.json` }) });
  }
  return downloads;
}

const stemOf = (source: string): string => {
  const name = source
    .replace(/[?#].*$/s, "")
    .split("/")
    .at(-1)!;
  return accordionSlug(name.replace(/\.(?:json|ya?ml)$/i, "")).slice(0, 60) || "api";
};

/** The targets of published pages, by the key of their specification. */
export function publishedTargets(site: Site): ReadonlyMap<string, readonly ApiTarget[]> {
  const targets = site.pages.flatMap((page) => (page.api && isPublished(page) ? [page.api] : []));
  return Map.groupBy(targets, ({ spec }) => spec);
}
