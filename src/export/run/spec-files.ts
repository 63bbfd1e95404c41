import { publishedTargets, type StreamedFile, specDownloads } from "../../bundle/outputs/index.js";
import { jsonLines } from "../../lib/json/index.js";
import { isHttpAddress } from "../../lib/url/index.js";
import { publishedDocument, specKinds } from "../../reference/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { relativeHref } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import { type ApiTarget, openSpecs } from "../../site/specs/index.js";

/** The files of `specDownloads`, made when they are read, and those that playgrounds load. */
export function specFiles(site: Site, siteFiles: SiteFiles, hasPlayground: boolean): readonly StreamedFile[] {
  const specs = openSpecs(site.specs, siteFiles);
  const targets = publishedTargets(site);
  const playgroundFiles = site.specs.flatMap(({ key, format }) => {
    const makeFile = hasPlayground && targets.has(key) ? specKinds[format]?.playgroundFile : undefined;
    const spec = makeFile && specs(key);
    const file = spec && makeFile(spec.document);
    return file ? [{ path: file.outputPath, text: file.text }] : [];
  });
  const offered = specDownloads(site);
  const plans = new Map(site.specs.map((plan) => [plan.key, plan]));
  /** Where the download of a document of workflows finds the documents that it refers to. */
  const sourceUrls = (from: string, { sources = {} }: ApiSpec): Record<string, string> =>
    Object.fromEntries(
      Object.entries(sources).map(([name, key]) => {
        const to = offered.get(key)?.spec ?? plans.get(key)!.source;
        return [name, isHttpAddress(to) ? to : relativeHref(from, to)];
      }),
    );
  const downloads = [...offered].flatMap(([key, { spec, collection }]) => {
    const file = (path: string, make: (found: ApiSpec, targets: readonly ApiTarget[]) => unknown) => ({
      path,
      get text() {
        const found = specs(key);
        return found === undefined ? "{}\n" : `${jsonLines(make(found, targets.get(key)!))}\n`;
      },
    });
    return [
      file(spec, (found, own) => publishedDocument(found, own, sourceUrls(spec, found))),
      ...(collection === undefined
        ? []
        : [file(collection, (found, own) => specKinds[found.format]?.collection?.(found, own, site.config.api))]),
    ];
  });
  return [...playgroundFiles, ...downloads];
}
