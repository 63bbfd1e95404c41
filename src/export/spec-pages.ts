import type { RootContent } from "mdast";
import type { SpecDownloads } from "../bundle/outputs/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import { fill, languageTag, type Messages, messagesFor, nearestLocale } from "../lib/language/index.js";
import type { PageContent } from "../page/content/index.js";
import type { AssetManifest } from "../page/theme/index.js";
import type { PlaygroundParts, Reference, ReferenceFile } from "../reference/index.js";
import type { ApiSpec } from "../site/api-spec.js";
import { relativeHref } from "../site/links/index.js";
import type { PagePlan } from "../site/site.js";
import { type ApiTarget, pointerOfTarget } from "../site/specs/index.js";

interface SpecSettings {
  readonly folder: (spec: string, language: string | undefined) => string;
  /** Loaded by pages that refer to models. */
  readonly scripts: readonly ReferenceFile[];
  /** By key of the specification. */
  readonly downloads: ReadonlyMap<string, SpecDownloads>;
  /** The page about a part of a specification, for a link on a page. */
  readonly pageOf: (target: ApiTarget, from: PagePlan) => PagePlan | undefined;
  /** Undefined if the site has no specifications. */
  readonly parts: PlaygroundParts | undefined;
}

/** Adds to a page what its API specification describes, or a notice that the specification could not be fetched. */
export function createReferencePages(
  reference: Reference,
  pages: SpecSettings,
  { playground }: Pick<AssetManifest, "playground">,
): (content: PageContent, plan: PagePlan) => PageContent {
  return (content, plan) => {
    const tag = languageTag(plan.language);
    const messages = messagesFor(tag);
    const own = content.tree.children;
    if (plan.unavailableSpec !== undefined) return withTree(content, [...own, notice(messages, plan.unavailableSpec)]);
    const downloads = plan.api && pages.downloads.get(plan.api.spec);
    const page = {
      messages,
      ...(downloads && { downloads: { from: plan.outputPath, ...downloads } }),
      description: plan.description,
      own,
      playground: {
        display: plan.frontmatter["playground"],
        assets: playground &&
          pages.parts && { ...playground, words: playground.words[nearestLocale(tag)]!, ...pages.parts },
      },
      pageOf: (target: ApiTarget) => pages.pageOf(target, plan)?.urlPath,
      fileOf: (target: ApiTarget) => {
        const found = pages.pageOf(target, plan);
        return found && relativeHref(plan.outputPath, found.outputPath);
      },
      models: { from: plan.outputPath, folder: (spec: string) => pages.folder(spec, plan.language) },
    };
    const found = plan.api ? reference.content(plan.api, page) : reference.written(endpointOf(plan), page);
    if (found === undefined) return content;
    const { tree, diagnostics, files, models } = found;
    return {
      ...withTree(content, tree),
      diagnostics: [...content.diagnostics, ...diagnostics],
      files: models ? [...files, ...pages.scripts] : files,
      ...(models && {
        models,
        scripts: [...(content.scripts ?? []), ...pages.scripts.map((script) => script.outputPath)],
      }),
    };
  };
}

const endpointOf = ({ frontmatter: { api, authMethod, contentType } }: PagePlan) => ({ api, authMethod, contentType });

const withTree = (content: PageContent, children: RootContent[]): PageContent => ({
  ...content,
  tree: { ...content.tree, children },
});

/** Says in the page's language that a specification could not be fetched. */
const notice = ({ specUnavailable }: Messages, source: string): RootContent => ({
  type: "mdxJsxFlowElement",
  name: "Warning",
  attributes: [],
  children: [{ type: "paragraph", children: [{ type: "text", value: fill(specUnavailable, source) }] }],
  data: { props: {} },
});

/**
 * Moves the diagnostics of a generated page to their location in the specification: those with a line are about the page's
 * own text there, the others about the whole operation.
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
    if (each.location?.sourcePath !== sourcePath) return each;
    return {
      ...each,
      location: spec.locationOf(each.location.line === undefined ? pointer : `${pointer}/x-mint/content`),
    };
  });
}
