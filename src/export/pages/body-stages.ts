import type { RootContent } from "mdast";
import { clientScripts, playgroundParts } from "../../bundle/assets/index.js";
import { type SpecDownloads, specDownloads } from "../../bundle/outputs/index.js";
import { type Diagnostic, locationOfSetting } from "../../lib/diagnostic/index.js";
import { fill, languageTag, type Messages, messagesFor, nearestLocale } from "../../lib/language/index.js";
import { engineVersion } from "../../lib/package-root.js";
import type { CallMain, Spend, WaitForMain } from "../../lib/queue/index.js";
import { componentDefinitions } from "../../page/components/index.js";
import { createContentReader, type PageContent, type ParseApart, type ParseOutcome } from "../../page/content/index.js";
import { createDiagramClient } from "../../page/diagrams/index.js";
import { createCode } from "../../page/highlight/index.js";
import { type IslandReply, islandWords, placeIslands } from "../../page/islands/index.js";
import { createMath } from "../../page/math/create-math.js";
import { createRenderer } from "../../page/render/index.js";
import type { AssetManifest } from "../../page/theme/index.js";
import { createReference, type PlaygroundParts, type Reference, type ReferenceFile } from "../../reference/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { relativeHref } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import { type ApiTarget, openSpecs, pointerOfTarget, type SpecPlan } from "../../site/specs/index.js";
import { downloadsAnswer, specAnswer } from "../store/page-reads.js";
import { apiLink, createApiPages, linkAnswer } from "./api-pages.js";
import type { PageThread } from "./open-page-thread.js";

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
function createReferencePages(
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

/** Tree -> the same tree with what its live components show. The main thread renders them. */
export type IslandStage = (plan: PagePlan, content: PageContent) => Promise<PageContent>;

export function createIslandStage(call: CallMain): IslandStage {
  const runtimes = new Map<boolean, ReturnType<typeof clientScripts>>();
  const runtime = (ui: boolean) => {
    const known = runtimes.get(ui) ?? clientScripts(ui ? ["islands", "islands-ui"] : ["islands"]);
    runtimes.set(ui, known);
    return known;
  };
  const ask = async (request: unknown) => (await call("islands", request)) as IslandReply;
  return async (plan, content) =>
    content.islands === undefined
      ? content
      : placeIslands(content, plan.sourcePath, { ask, runtime, words: islandWords(plan.language) });
}

export type RenderStage = Awaited<ReturnType<typeof createRenderStage>>;

/** Tree -> HTML of the page's body. */
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
    components: componentDefinitions,
    code,
    math: createMath(),
    diagrams: createDiagramClient((sources) => call("diagrams", sources)),
    icons,
    parts: assets.parts,
    componentParts: assets.componentParts,
    parseInline: readInline,
  });
  // About the site's own grammars.
  return { ...renderer, diagnostics: code.diagnostics };
}
