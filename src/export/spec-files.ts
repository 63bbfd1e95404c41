import { publishedTargets, type StreamedFile, specDownloads } from "../bundle/outputs/index.js";
import { jsonLines } from "../lib/json/index.js";
import { postmanCollection, publishedDocument } from "../page/reference/index.js";
import type { ApiSpec } from "../site/api-spec.js";
import type { Site } from "../site/site.js";
import type { SiteFiles } from "../site/source/index.js";
import { type ApiTarget, openSpecs } from "../site/specs/index.js";

/** The files of `specDownloads`, made when they are read. */
export function specFiles(site: Site, siteFiles: SiteFiles): readonly StreamedFile[] {
  const specs = openSpecs(site.specs, siteFiles);
  const targets = publishedTargets(site);
  return [...specDownloads(site)].flatMap(([key, { spec, collection }]) => {
    const file = (path: string, make: (found: ApiSpec, targets: readonly ApiTarget[]) => unknown) => ({
      path,
      get text() {
        const found = specs(key);
        return found === undefined ? "{}\n" : `${jsonLines(make(found, targets.get(key)!))}\n`;
      },
    });
    return [
      file(spec, publishedDocument),
      ...(collection === undefined
        ? []
        : [file(collection, (found, own) => postmanCollection(found, own, site.config.api))]),
    ];
  });
}
