import { hash } from "node:crypto";
import type { RootContent } from "mdast";
import { clientScripts, playgroundParts } from "../../bundle/assets/page-scripts.js";
import { type SpecDownloads, specDownloads } from "../../bundle/outputs/spec-downloads.js";
import { type Diagnostic, type Location, locationOfSetting } from "../../lib/diagnostic/index.js";
import { fill, languageTag, type Messages, messagesFor, nearestLocale } from "../../lib/language/index.js";
import { engineVersion } from "../../lib/package-root.js";
import type { CallMain, Spend, WaitForMain } from "../../lib/queue/serve-tasks.js";
import { componentDefinitions, propNamesOf } from "../../page/components/index.js";
import { createContentReader, type PageContent, type ParseApart, type ParseOutcome } from "../../page/content/index.js";
import { createDiagramClient } from "../../page/diagrams/diagram-client.js";
import { createCode } from "../../page/highlight/create-code.js";
import { type IslandReply, islandWords } from "../../page/islands/island.js";
import { placeIslands } from "../../page/islands/place-islands.js";
import { createMath } from "../../page/math/create-math.js";
import { createHtmlJoiner, createRenderer, isElement } from "../../page/render/index.js";
import { createReference, type Reference, type ReferenceFile } from "../../reference/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { relativeHref } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import {
  type ApiTarget,
  type LocateInSpec,
  openSpecs,
  pointerOfTarget,
  type SpecPlan,
} from "../../site/specs/index.js";
import { apiLink } from "./api-pages.js";
import type { PageThread } from "./open-page-thread.js";

export type ContentStage = Awaited<ReturnType<typeof createContentStage>>;

/**
 * Text -> tree.
 *
 * @param wait asks the main thread
 * @param spend counts processor time of other processes
 */
export async function createContentStage(thread: PageThread, wait?: WaitForMain, spend?: Spend) {
  const { site, bodySite, files, parser, log } = thread;
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
  const specs = openSpecs(site.specs, files, wait && askForLocations(wait, files));
  // HTML is joined once for all pages that show a description, and so that Markdown versions keep links and lists, too.
  const isMarkdown = ({ sourcePath }: PagePlan): boolean => /\.md$/i.test(sourcePath);
  const joinHtml = site.specs.length > 0 || site.pages.some(isMarkdown) ? await createHtmlJoiner() : undefined;
  const reference = createReference({
    spec: specs,
    api: bodySite.config.api,
    readMarkdown: (text) => {
      const children = reader.readForeign(text);
      return joinHtml?.({ type: "root", children }).children ?? children;
    },
    excerpts: bodySite.config.markdown.schema,
  });
  const planned = new Map(site.specs.map((spec) => [spec.key, spec]));
  /** A specification, and those that a document of workflows names. */
  const withSources = (key: string): ReadonlyMap<string, SpecPlan | undefined> => {
    const specs = new Map([[key, planned.get(key)]]);
    for (const spec of specs.values())
      for (const source of Object.values(spec?.sources ?? {}))
        if (!specs.has(source)) specs.set(source, planned.get(source));
    return specs;
  };
  const downloads = specDownloads(site);
  const withReference = await createReferencePages(thread, reference, downloads);
  return {
    /** A page as a tree, with what its API specification describes. */
    content(plan: PagePlan) {
      const own = reader.read(plan);
      const read = joinHtml && isMarkdown(plan) ? { ...own, tree: joinHtml(own.tree) } : own;
      const content = withReference(read, plan);
      // A specification is parsed once, but each page that shows it depends on it.
      if (plan.api) {
        for (const [key, spec] of withSources(plan.api.spec)) {
          log.note("spec", key, spec);
          if (spec) files.again?.(spec.source);
        }
        log.note("downloads", plan.api.spec, downloads.get(plan.api.spec));
      }
      return content;
    },
    readInline: reader.readInline,
    specs,
  };
}

/** A process that may not start others asks for a parsed text. */
const askMain =
  (wait: WaitForMain): ParseApart =>
  (kind, source) =>
    wait("markdown", { kind, source }) as ParseOutcome | undefined;

/** The main thread reads a specification for locations once, instead of each thread. */
function askForLocations(wait: WaitForMain, files: SiteFiles): LocateInSpec {
  const noted = new Set<string>();
  return (source, pointer) => {
    // A stored page with locations depends on the lines of the file.
    if (!noted.has(source) && files.has(source)) files.readText(source);
    noted.add(source);
    return wait("location", [source, pointer]) as Location;
  };
}

/** Adds to a page what its API specification describes, or a notice that the specification could not be fetched. */
async function createReferencePages(
  { site, assets: { playground }, apiPages, models, log }: PageThread,
  reference: Reference,
  allDownloads: ReadonlyMap<string, SpecDownloads>,
): Promise<(content: PageContent, plan: PagePlan) => PageContent> {
  const hasSpecs = site.specs.length > 0;
  const schemaScripts = await clientScripts(["schemas"]);
  /** Loaded by pages that refer to models. */
  const modelScripts = hasSpecs ? await clientScripts(["schemas", "models"]) : [];
  const [anchorCode] = hasSpecs ? await clientScripts(["anchors"]) : [];
  const parts = hasSpecs ? await playgroundParts() : undefined;
  return (content, plan) => {
    const { language, outputPath } = plan;
    const tag = languageTag(language);
    const messages = messagesFor(tag);
    const ownTree = content.tree.children;
    if (plan.unavailableSpec !== undefined)
      return withTree(content, [...ownTree, notice(messages, plan.unavailableSpec)]);
    const downloads = plan.api && allDownloads.get(plan.api.spec);
    const pageAbout = (target: ApiTarget): PagePlan | undefined => {
      const link = apiLink(target, plan);
      const page = apiPages(link);
      log.note("about", link, page);
      return page;
    };
    const page = {
      messages,
      ...(downloads && { downloads: { from: outputPath, ...downloads } }),
      title: plan.title,
      description: plan.description,
      own: ownTree,
      playground: {
        display: plan.frontmatter["playground"],
        assets: playground && parts && { ...playground, words: playground.words[nearestLocale(tag)]!, ...parts },
      },
      pageOf: (target: ApiTarget) => pageAbout(target)?.urlPath,
      fileOf: (target: ApiTarget) => {
        const page = pageAbout(target);
        return page && relativeHref(outputPath, page.outputPath);
      },
      models: {
        from: outputPath,
        folder(spec: string) {
          const folder = models.folder(spec, language);
          log.note("models", [spec, language], folder);
          return folder;
        },
        pageOf: (target: ApiTarget) => pageAbout(target)?.outputPath,
      },
    };
    const described = plan.api ? reference.content(plan.api, page) : reference.written(endpointOf(plan), page);
    if (described === undefined) return content;
    const scripts = [
      ...(described.models ? modelScripts : described.hasFields ? schemaScripts : []),
      ...(described.anchors ? [anchorScript(described.anchors, anchorCode!.text)] : []),
    ];
    return {
      ...withTree(content, described.tree),
      diagnostics: [...content.diagnostics, ...described.diagnostics],
      files: [...described.files, ...scripts, ...(described.anchors ? [described.anchors] : [])],
      ...(described.models && { models: described.models }),
      ...(scripts.length > 0 && {
        scripts: [...(content.scripts ?? []), ...scripts.map((script) => script.outputPath)],
      }),
    };
  };
}

/** The script of an overview: the path of its table, then the code, which is the same for all. */
function anchorScript({ outputPath: table }: ReferenceFile, code: string): ReferenceFile {
  const text = `offprintAnchorTable=${JSON.stringify(table)};\n${code}`;
  return { outputPath: `_offprint/anchors/${hash("sha256", text).slice(0, 16)}.js`, text };
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
  return diagnostics.map((diagnostic) => {
    const { location } = diagnostic;
    if (location?.sourcePath !== sourcePath) return diagnostic;
    const target = location.line === undefined ? pointer : `${pointer}/x-mint/content`;
    return { ...diagnostic, location: spec.locationOf(target) };
  });
}

/** Tree -> the same tree with what its live components show. The main thread renders them. */
export type IslandStage = (plan: PagePlan, content: PageContent) => Promise<PageContent>;

export function createIslandStage(call: CallMain): IslandStage {
  const runtimes = new Map<boolean, ReturnType<typeof clientScripts>>();
  const runtime = (ui: boolean) => {
    const scripts = runtimes.get(ui) ?? clientScripts(ui ? ["islands", "islands-ui"] : ["islands"]);
    runtimes.set(ui, scripts);
    return scripts;
  };
  const ask = async (request: unknown) => (await call("islands", request)) as IslandReply;
  return async (plan, content) =>
    content.islands === undefined
      ? content
      : placeIslands(content, plan.sourcePath, { ask, runtime, words: islandWords(plan.language) });
}

export type RenderStage = Awaited<ReturnType<typeof createRenderStage>>;

/** Tree -> HTML of the page's body. `diagnostics` are about the site's own grammars. */
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
