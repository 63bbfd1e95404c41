import { clientScripts } from "../bundle/assets/index.js";
import type { WaitForMain } from "../lib/queue/index.js";
import { componentDefinitions } from "../page/components/index.js";
import { createContentReader, type ParseApart, type ParseOutcome } from "../page/content/index.js";
import { createReference } from "../page/reference/index.js";
import type { PagePlan } from "../site/site.js";
import { openSpecs } from "../site/specs/index.js";
import type { PageThread } from "./open-page-thread.js";
import { createReferencePages } from "./spec-pages.js";

export type ContentStage = Awaited<ReturnType<typeof createContentStage>>;

/** Text -> tree. @param wait asks the main thread. */
export async function createContentStage({ site, files, assets, models, parser }: PageThread, wait?: WaitForMain) {
  const reader = await createContentReader({
    files,
    config: site.config,
    parser,
    parseApart: wait && process.permission?.has("child") === false ? askMain(wait) : undefined,
    markdownComponents: new Set(componentDefinitions.keys()),
    propsOf: (name) => componentDefinitions.get(name)?.props,
  });
  const specs = openSpecs(site.specs, files);
  const reference = createReference({
    spec: specs,
    api: site.config.api,
    readMarkdown: reader.readForeign,
    excerpts: site.config.markdown.schema,
  });
  const scripts = site.specs.length > 0 ? await clientScripts(["models"]) : [];
  const withReference = createReferencePages(reference, { folder: models.folder, scripts }, assets);
  return {
    /** A page as a tree, with what its API specification describes. */
    content: (plan: PagePlan) => withReference(reader.read(plan), plan),
    readInline: reader.readInline,
    specs,
  };
}

/** A process without the right to start others asks for a parsed text. */
const askMain =
  (wait: WaitForMain): ParseApart =>
  (kind, source, { maxMs }) =>
    wait("markdown", { kind, source }, maxMs) as ParseOutcome | undefined;
