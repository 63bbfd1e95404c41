import { componentDefinitions } from "../page/components/index.js";
import { createContentReader } from "../page/content/index.js";
import { createReference } from "../page/reference/index.js";
import type { PagePlan } from "../site/site.js";
import { openSpecs } from "../site/specs/index.js";
import type { PageThread } from "./open-page-thread.js";
import { createReferencePages } from "./spec-pages.js";

export type ContentStage = Awaited<ReturnType<typeof createContentStage>>;

/** Text -> tree. */
export async function createContentStage({ site, files, assets, parser }: PageThread) {
  const reader = await createContentReader({
    files,
    config: site.config,
    parser,
    markdownComponents: new Set(componentDefinitions.keys()),
  });
  const specs = openSpecs(site.specs, files);
  const reference = createReference({
    spec: specs,
    api: site.config.api,
    readMarkdown: reader.readForeign,
    excerpts: site.config.markdown.schema,
  });
  const withReference = createReferencePages(reference, assets);
  return {
    /** A page as a tree, with what its API specification describes. */
    content: (plan: PagePlan) => withReference(reader.read(plan), plan),
    readInline: reader.readInline,
    specs,
  };
}
