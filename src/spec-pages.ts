import type { RootContent } from "mdast";
import type { PageContent } from "./content/page-content.js";
import type { Diagnostic } from "./diagnostic/diagnostic.js";
import type { PagePlan } from "./discover/site.js";
import { fill, languageTag, stringsFor } from "./language/index.js";
import { type ApiSpec, pointerOfTarget } from "./specs/index.js";

/** Adds to a page that its API specification could not be fetched, in the language of the page. */
export function withNotice(content: PageContent, plan: PagePlan): PageContent {
  if (plan.unavailableSpec === undefined) return content;
  const { specUnavailable } = stringsFor(languageTag(plan.language));
  const text = fill(specUnavailable, plan.unavailableSpec);
  const notice: RootContent = {
    type: "mdxJsxFlowElement",
    name: "Warning",
    attributes: [],
    children: [{ type: "paragraph", children: [{ type: "text", value: text }] }],
    data: { props: {} },
  };
  return { ...content, tree: { ...content.tree, children: [...content.tree.children, notice] } };
}

/**
 * Gives what is wrong with a generated page its place in the specification: a place with a line counts in the page's
 * own text, one without means all that is described.
 */
export function placedInSpec(
  diagnostics: readonly Diagnostic[],
  { api, generated, sourcePath }: PagePlan,
  specs: (key: string) => ApiSpec | undefined,
): readonly Diagnostic[] {
  const spec = generated && api && diagnostics.length > 0 ? specs(api.spec) : undefined;
  if (!spec) return diagnostics;
  const pointer = pointerOfTarget(api!);
  return diagnostics.map((each) => {
    if (each.place?.sourcePath !== sourcePath) return each;
    return { ...each, place: spec.placeOf(each.place.line === undefined ? pointer : `${pointer}/x-mint/content`) };
  });
}
