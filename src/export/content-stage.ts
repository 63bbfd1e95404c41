import { componentDefinitions } from "../page/components/index.js";
import { type ContentReader, createContentReader, type PageContent } from "../page/content/index.js";
import { createReference } from "../page/reference/index.js";
import type { ApiSpec } from "../site/api-spec.js";
import type { PagePlan } from "../site/site.js";
import { openSpecs } from "../site/specs/index.js";
import type { PageThread } from "./open-page-thread.js";
import { createReferencePages } from "./spec-pages.js";

export interface ContentStage {
  /** A page as a tree, with what its API specification describes. */
  readonly content: (plan: PagePlan) => PageContent;
  readonly readInline: ContentReader["readInline"];
  readonly specs: (key: string) => ApiSpec | undefined;
}

/** Text -> tree. */
export async function createContentStage({ site, files, assets, parser }: PageThread): Promise<ContentStage> {
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
  return { content: (plan) => withReference(reader.read(plan), plan), readInline: reader.readInline, specs };
}
