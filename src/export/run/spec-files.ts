import type { StreamedFile } from "../../bundle/outputs/site-outputs.js";
import { publishedTargets, specDownloads } from "../../bundle/outputs/spec-downloads.js";
import { jsonLines } from "../../lib/json/index.js";
import { isHttpAddress } from "../../lib/url/index.js";
import { publishedDocument, referenceKinds } from "../../reference/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { relativeHref } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import { type ApiTarget, openSpecs } from "../../site/specs/index.js";

/** The files of `specDownloads`, whose text is made when it is read, and the files that playgrounds load. */
export function specFiles(site: Site, siteFiles: SiteFiles, hasPlayground: boolean): readonly StreamedFile[] {
  const specs = openSpecs(site.specs, siteFiles);
  const targets = publishedTargets(site);
  const playgroundFiles = site.specs.flatMap(({ key, format }) => {
    const makeFile = hasPlayground && targets.has(key) ? referenceKinds[format]?.playgroundFile : undefined;
    const spec = makeFile && specs(key);
    const file = spec && makeFile(spec.document);
    return file ? [{ path: file.outputPath, text: file.text }] : [];
  });
  const downloads = specDownloads(site);
  const plans = new Map(site.specs.map((plan) => [plan.key, plan]));
  /** Addresses of the documents that a download of workflows refers to, by the names of these sources. */
  const sourceUrls = (from: string, { sources = {} }: ApiSpec): Record<string, string> =>
    Object.fromEntries(
      Object.entries(sources).map(([name, key]) => {
        const to = downloads.get(key)?.spec ?? plans.get(key)!.source;
        return [name, isHttpAddress(to) ? to : relativeHref(from, to)];
      }),
    );
  const downloadFiles = [...downloads].flatMap(([key, { spec: specPath, collection }]) => {
    const file = (path: string, make: (spec: ApiSpec, targets: readonly ApiTarget[]) => unknown) => ({
      path,
      async *text() {
        const spec = specs(key);
        yield* jsonLines(spec === undefined ? {} : make(spec, targets.get(key)!));
        yield "\n";
      },
    });
    return [
      file(specPath, (spec, published) => publishedDocument(spec, published, sourceUrls(specPath, spec))),
      ...(collection === undefined
        ? []
        : [
            file(collection, (spec, published) =>
              referenceKinds[spec.format]?.collection?.(spec, published, site.config.api),
            ),
          ]),
    ];
  });
  return [...playgroundFiles, ...downloadFiles];
}
