import { clientScripts, playgroundParts } from "../bundle/assets/index.js";
import { specDownloads } from "../bundle/outputs/index.js";
import type { Spend, WaitForMain } from "../lib/queue/index.js";
import { componentDefinitions } from "../page/components/index.js";
import { createContentReader, type ParseApart, type ParseOutcome } from "../page/content/index.js";
import { createReference } from "../reference/index.js";
import type { PagePlan } from "../site/site.js";
import { type ApiTarget, openSpecs, type SpecPlan } from "../site/specs/index.js";
import { apiLink, createApiPages, linkAnswer } from "./api-pages.js";
import type { PageThread } from "./open-page-thread.js";
import { downloadsAnswer, specAnswer } from "./page-reads.js";
import { createReferencePages } from "./spec-pages.js";

export type ContentStage = Awaited<ReturnType<typeof createContentStage>>;

/** Text -> tree. @param wait asks the main thread. @param spend counts time of other processes. */
export async function createContentStage(thread: PageThread, wait?: WaitForMain, spend?: Spend) {
  const { site, bodySite, files, assets, models, parser, log } = thread;
  const reader = await createContentReader({
    files,
    config: bodySite.config,
    parser,
    parseApart: wait && process.permission?.has("child") === false ? askMain(wait) : undefined,
    spend,
    markdownComponents: new Set(componentDefinitions.keys()),
    propsOf: (name) => componentDefinitions.get(name)?.props,
  });
  const specs = openSpecs(site.specs, files);
  const planned = new Map(site.specs.map((spec) => [spec.key, spec]));
  const reference = createReference({
    spec: specs,
    api: bodySite.config.api,
    readMarkdown: reader.readForeign,
    excerpts: bodySite.config.markdown.schema,
  });
  const hasSpecs = site.specs.length > 0;
  const scripts = hasSpecs ? await clientScripts(["models"]) : [];
  const parts = hasSpecs ? await playgroundParts() : undefined;
  const modelFolder: typeof models.folder = (spec, language) => {
    const folder = models.folder(spec, language);
    log.note(`models ${JSON.stringify([spec, language])}`, folder);
    return folder;
  };
  const downloads = specDownloads(site);
  const apiPages = createApiPages(site);
  const pageOf = (target: ApiTarget, from: PagePlan): PagePlan | undefined => {
    const link = apiLink(target, from);
    const page = apiPages(link);
    log.note(`about ${JSON.stringify(link)}`, linkAnswer(page));
    return page;
  };
  /** A specification, and those that a document of workflows names. */
  const withSources = (key: string): ReadonlyMap<string, SpecPlan | undefined> => {
    const found = new Map([[key, planned.get(key)]]);
    for (const spec of found.values())
      for (const source of Object.values(spec?.sources ?? {}))
        if (!found.has(source)) found.set(source, planned.get(source));
    return found;
  };
  const withReference = createReferencePages(
    reference,
    { folder: modelFolder, scripts, parts, downloads, pageOf },
    assets,
  );
  return {
    /** A page as a tree, with what its API specification describes. */
    content(plan: PagePlan) {
      const found = withReference(reader.read(plan), plan);
      // It is read once for all its pages.
      if (plan.api) {
        for (const [key, spec] of withSources(plan.api.spec)) {
          log.note(`spec ${key}`, specAnswer(spec));
          if (spec) files.again?.(spec.source);
        }
        log.note(`downloads ${plan.api.spec}`, downloadsAnswer(downloads.get(plan.api.spec)));
      }
      return found;
    },
    readInline: reader.readInline,
    specs,
  };
}

/** A process without the right to start others asks for a parsed text. */
const askMain =
  (wait: WaitForMain): ParseApart =>
  (kind, source) =>
    wait("markdown", { kind, source }) as ParseOutcome | undefined;
