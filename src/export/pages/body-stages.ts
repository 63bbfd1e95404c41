import type { RootContent } from "mdast";
import { clientScripts } from "../../bundle/assets/page-scripts.js";
import { type Diagnostic, locationOfSetting } from "../../lib/diagnostic/index.js";
import { engineVersion } from "../../lib/package-root.js";
import type { CallMain, Spend, WaitForMain } from "../../lib/queue/serve-tasks.js";
import { componentDefinitions, propNamesOf } from "../../page/components/index.js";
import { createContentReader, type PageContent, type ParseApart, type ParseOutcome } from "../../page/content/index.js";
import { createDiagramClient } from "../../page/diagrams/diagram-client.js";
import { createCode } from "../../page/highlight/create-code.js";
import { type IslandReply, islandWords } from "../../page/islands/island.js";
import { createMath } from "../../page/math/create-math.js";
import { createHtmlJoiner, createRenderer, isElement } from "../../page/render/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import type { PagePlan } from "../../site/site.js";
import { pointerOfTarget } from "../../site/specs/index.js";
import type { PageThread } from "./open-page-thread.js";

export type ContentStage = Awaited<ReturnType<typeof createContentStage>>;

/** Reads a page into a tree. @param wait asks the main thread. @param spend counts other processes' time. */
export async function createContentStage(thread: PageThread, wait?: WaitForMain, spend?: Spend) {
  const { site, bodySite, files, parser } = thread;
  const reader = await createContentReader({
    files,
    config: bodySite.config,
    parser,
    parseApart: wait && process.permission?.has("child") === false ? askMain(wait) : undefined,
    spend,
    markdownComponents: new Set(componentDefinitions.keys()),
    propNamesOf,
    isElement,
    itemsOf: (name) => componentDefinitions.get(name)?.items ?? [],
  });
  // Join the tags of raw HTML into elements here, once for all pages that show a description, so that Markdown versions keep
  // links and lists.
  const isMarkdown = ({ sourcePath }: PagePlan): boolean => /\.md$/i.test(sourcePath);
  const joinHtml = site.specs.length > 0 || site.pages.some(isMarkdown) ? await createHtmlJoiner() : undefined;
  const readMarkdown = (text: string): RootContent[] => {
    const children = reader.readForeign(text);
    return joinHtml?.({ type: "root", children }).children ?? children;
  };
  // Load lazily: half of all sites describe no API.
  const describesApi =
    site.specs.length > 0 ||
    site.pages.some(
      ({ frontmatter: { api, openapi }, unavailableSpec }) => (api ?? openapi ?? unavailableSpec) !== undefined,
    );
  const reference = describesApi
    ? await (await import("./reference-pages.js")).createReferencePages(thread, readMarkdown, wait)
    : undefined;
  return {
    /** A page as a tree, with what its API specification describes. */
    content(plan: PagePlan) {
      const page = reader.read(plan);
      const content = joinHtml && isMarkdown(plan) ? { ...page, tree: joinHtml(page.tree) } : page;
      return reference?.content(content, plan) ?? content;
    },
    specs: (key: string): ApiSpec | undefined => reference?.specs(key),
    readInline: reader.readInline,
  };
}

/** Lets the main thread parse a text, since this process may not start another. */
const askMain =
  (wait: WaitForMain): ParseApart =>
  (kind, source) =>
    wait("markdown", { kind, source }) as ParseOutcome | undefined;

/** Moves diagnostics of a generated page to the specification: to the page's own text there, or to the operation. */
export function placedInSpec(
  diagnostics: readonly Diagnostic[],
  { api, generated, sourcePath }: PagePlan,
  specs: (key: string) => ApiSpec | undefined,
): readonly Diagnostic[] {
  const spec = generated && api && diagnostics.length > 0 ? specs(api.spec) : undefined;
  if (!spec) return diagnostics;
  const pointer = pointerOfTarget(api!);
  return diagnostics.map((diagnostic) => {
    const { location } = diagnostic;
    if (location?.sourcePath !== sourcePath) return diagnostic;
    const target = location.line === undefined ? pointer : `${pointer}/x-mint/content`;
    return { ...diagnostic, location: spec.locationOf(target) };
  });
}

/** Adds the HTML of live components, which the main thread renders, to the tree. */
export type IslandStage = (plan: PagePlan, content: PageContent) => Promise<PageContent>;

export function createIslandStage(call: CallMain): IslandStage {
  const runtimes = new Map<boolean, ReturnType<typeof clientScripts>>();
  const runtime = (ui: boolean) => {
    const scripts = runtimes.get(ui) ?? clientScripts(ui ? ["islands", "islands-ui"] : ["islands"]);
    runtimes.set(ui, scripts);
    return scripts;
  };
  const ask = async (request: unknown) => (await call("islands", request)) as IslandReply;
  return async (plan, content) => {
    if (content.islands === undefined) return content;
    // Load lazily: the module contains an HTML parser.
    const { placeIslands } = await import("../../page/islands/place-islands.js");
    return placeIslands(content, plan.sourcePath, { ask, runtime, words: islandWords(plan.language) });
  };
}

export type RenderStage = Awaited<ReturnType<typeof createRenderStage>>;

/** Renders a tree to the HTML of the page's body. `diagnostics` are about the site's own grammars. */
export async function createRenderStage(
  { site, bodySite, files, bodyAddresses, measure, icons, assets, cache }: PageThread,
  { readInline }: ContentStage,
  call: CallMain,
) {
  const code = createCode({
    style: bodySite.config.styling.codeblocks,
    files,
    locationOfGrammar: (index) => locationOfSetting(site.config, `styling.codeblocks.languages.custom[${index}]`),
    cache,
    version: engineVersion(),
  });
  const renderer = await createRenderer({
    site: bodySite,
    addresses: bodyAddresses,
    measure,
    readText: (path) => (files.has(path) ? files.readText(path) : undefined),
    components: componentDefinitions,
    code,
    math: createMath(),
    diagrams: createDiagramClient((sources) => call("diagrams", sources)),
    icons,
    parts: assets.parts,
    componentParts: assets.componentParts,
    parseInline: readInline,
  });
  return { ...renderer, diagnostics: code.diagnostics };
}
