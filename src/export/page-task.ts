import { createBundleWriter, type FileContent } from "../bundle/archive/index.js";
import { createHeadMetadata, createPageOutputs, isPublicAddress, notFoundPage } from "../bundle/outputs/index.js";
import { createRecorder, scopesFor, searchScopes } from "../bundle/search/index.js";
import { openFolderCache } from "../lib/cache/index.js";
import { type Diagnostic, locationOfSetting } from "../lib/diagnostic/index.js";
import { engineVersion } from "../lib/package-root.js";
import type { CallMain } from "../lib/queue/index.js";
import { checkPage, type PageCheck } from "../page/check/index.js";
import { componentDefinitions } from "../page/components/index.js";
import type { PageContent } from "../page/content/index.js";
import { createContentReader, locationOfKey } from "../page/content/index.js";
import { createDiagramClient } from "../page/diagrams/index.js";
import { createCode } from "../page/highlight/index.js";
import { createIcons } from "../page/icons/index.js";
import { createMath } from "../page/math/index.js";
import { createReference } from "../page/reference/index.js";
import { createRenderer, type RenderedPage } from "../page/render/index.js";
import type { AssetManifest } from "../page/theme/index.js";
import { chromeIds, createTheme, navigationIcons } from "../page/theme/index.js";
import { createAddresses } from "../site/links/index.js";
import type { PagePlan, Site } from "../site/site.js";
import { openListedFolder } from "../site/source/open-listed-folder.js";
import { openSpecs } from "../site/specs/index.js";
import type { DeploymentFeatures } from "./deployment-features.js";
import type { ExportOptions } from "./export-options.js";
import { createIconChecks } from "./icon-checks.js";
import { createInlineTexts, type InlineText } from "./inline-texts.js";
import type { PageResult } from "./page-result.js";
import { createReferencePages, placedInSpec } from "./spec-pages.js";

/** What a page thread is started with: plain data, cloned once. */
export interface PageThreadData {
  readonly site: Site;
  /** Absolute folder of the site, and the source paths in it. */
  readonly root: string;
  readonly sourcePaths: readonly string[];
  readonly assets: AssetManifest;
  /** Output paths that the bundle will hold beside what pages make. */
  readonly otherFiles: readonly string[];
  /** Absolute folder in which the bundle grows; absent: nothing is written. */
  readonly staging?: string;
  /** Absolute folder for what is needed until all pages are made; present where `staging` is. */
  readonly scratch?: string;
  readonly baseUrl?: string;
  /** The bundle goes where nobody has the internet. */
  readonly features: DeploymentFeatures;
  readonly cacheFolder?: string;
  readonly parser: NonNullable<ExportOptions["parser"]>;
}

export type PageTask =
  | {
      readonly kind: "page";
      readonly index: number;
      /** Why an earlier try took its thread down; the page is exported with this as its text. */
      readonly lost?: Diagnostic;
    }
  /** What stands once beside all pages: the 404 page, large sidebars. */
  | { readonly kind: "frame" };

/**
 * Prepares everything that the pages of one thread share, and gives the function that makes one page: content -> render
 * -> theme -> outputs -> check, its files written into the staging folder.
 *
 * Fails: a page that cannot be rendered, for whatever reason, becomes an error page with a diagnostic. What the file
 * system refuses is thrown.
 */
export async function createPageTask(
  data: PageThreadData,
  call: CallMain,
): Promise<(task: PageTask) => Promise<PageResult>> {
  const { site, assets, baseUrl } = data;
  const files = openListedFolder(data.root, data.sourcePaths);
  const cache = data.cacheFolder === undefined ? undefined : openFolderCache(data.cacheFolder);
  const write = createBundleWriter(data.staging);
  const icons = createIcons({ library: site.config.icons.library });
  const version = engineVersion();
  const code = createCode({
    style: site.config.styling.codeblocks,
    files,
    locationOfGrammar: (index) => locationOfSetting(site.config, `styling.codeblocks.languages.custom[${index}]`),
    cache,
    version,
  });
  const reader = await createContentReader({
    files,
    config: site.config,
    parser: data.parser,
    markdownComponents: new Set(componentDefinitions.keys()),
  });
  const addresses = createAddresses(site);
  const renderer = await createRenderer({
    site,
    addresses,
    files,
    components: componentDefinitions,
    code,
    math: createMath(),
    diagrams: createDiagramClient((sources) => call("diagrams", sources)),
    icons,
    parts: assets.parts,
    parseInline: reader.readInline,
  });
  const inline = createInlineTexts(renderer);
  const head = createHeadMetadata(site, { baseUrl });
  const scopes = searchScopes(site);
  const theme = createTheme({
    site,
    addresses,
    manifest: assets,
    icon: (choice) => icons.icon(choice).node,
    isPublic: isPublicAddress(baseUrl) && data.features.assistants,
    imageSize: renderer.imageSize,
    renderInline: inline.render,
    searchIndexes: (division) => scopesFor(site, scopes, division).map(({ id }) => id),
  });
  const pageOutputs = createPageOutputs(site, {
    addresses,
    baseUrl,
    readSource: (path) => (files.has(path) ? files.readText(path) : undefined),
  });
  const record = data.scratch === undefined ? undefined : createRecorder(site, data.scratch);
  const chromeFaults = theme.faults();
  const bundled = new Set([
    ...data.otherFiles,
    ...site.pages.map((plan) => plan.outputPath),
    // What the theme reports need not be found again on each page.
    ...chromeFaults.targets,
  ]);
  const specs = openSpecs(site.specs, files);
  const withReference = createReferencePages(
    createReference({
      spec: specs,
      api: site.config.api,
      readMarkdown: reader.readForeign,
      excerpts: site.config.markdown.schema,
    }),
    assets,
  );
  const chromeLocation = { sourcePath: site.config.sourcePath };
  const banners = bannersOf(site);
  const menuSheets = site.config.contextual ? [assets.parts["page-menu"]!] : [];
  const checkIcon = createIconChecks(icons, (path) => bundled.has(path));

  return (task) => (task.kind === "page" ? makeDocument(task.index, task.lost) : makeFrame());

  async function makeFrame(): Promise<PageResult> {
    const outputPath = "404.html";
    const plan = { ...site.pages[site.homePage ?? 0]!, outputPath };
    const notFound = notFoundPage(site, baseUrl);
    const root = baseUrl === undefined ? "" : notFound.root;
    const description = {
      markdown: notFound.description,
      location: () => locationOfSetting(site.config, "errors.404.description"),
    };
    const texts = await inline.prepare(plan, [description, ...banners], root);
    const written = [write(outputPath, theme.notFound(root, texts.stylesheets))];
    for (const { outputPath, text } of theme.navScripts()) written.push(write(outputPath, text));
    const ofIcons = navigationIcons(site).map((choice) => checkIcon(choice, () => choice.location ?? chromeLocation));
    const diagnostics = [
      ...texts.diagnostics,
      ...chromeFaults.diagnostics,
      ...ofIcons.flatMap((each) => each.diagnostics),
      ...code.diagnostics,
    ];
    return {
      files: written,
      ids: "",
      anchorsWanted: [],
      external: [...texts.external, ...ofIcons.flatMap((each) => each.external)],
      diagnostics,
      stylesheets: texts.stylesheets,
      timings: {},
    };
  }

  async function makeDocument(index: number, lost: Diagnostic | undefined): Promise<PageResult> {
    const plan = site.pages[index]!;
    const clock = createClock();
    const source = plan.generated?.text ?? files.readText(plan.sourcePath);
    const page = lost === undefined ? await tryPage(plan, source, clock) : await failedPage(plan, source, lost, clock);

    const written = page.files.map(({ path, content }) => write(path, content));
    clock.lap("write");
    const searchRecord = record?.(plan, page.rendered);
    clock.lap("search");
    return {
      files: written,
      ids: page.checked.ids.filter((id) => !chromeIds.has(id)).join("\n"),
      anchorsWanted: page.checked.anchorsWanted,
      external: page.rendered.external,
      diagnostics: placedInSpec([...page.diagnostics, ...page.checked.diagnostics], plan, specs),
      stylesheets: page.rendered.stylesheets,
      ...(searchRecord ? { searchRecord } : {}),
      timings: clock.laps(page.rendered.highlightMs),
    };
  }

  /** Whatever goes wrong while a page is made costs this page only. */
  async function tryPage(plan: PagePlan, source: string, clock: Clock): Promise<FinishedPage> {
    try {
      const content = withReference(reader.read(plan), plan);
      clock.lap("content");
      return await finishPage(plan, source, content, clock);
    } catch (error) {
      return failedPage(plan, source, brokenPage(plan, error), clock);
    }
  }

  async function failedPage(plan: PagePlan, source: string, fault: Diagnostic, clock: Clock): Promise<FinishedPage> {
    const page = await finishPage(plan, source, errorContent(fault), clock);
    return { ...page, diagnostics: [fault, ...page.diagnostics] };
  }

  /** Render, outputs, theme and check; nothing is written yet. */
  async function finishPage(plan: PagePlan, source: string, content: PageContent, clock: Clock): Promise<FinishedPage> {
    const body = await renderer.render(plan, content);
    clock.lap("render");
    const beside = pageOutputs(plan, content, source);
    clock.lap("outputs");
    const locationOf = (key: string) => locationOfKey(source, plan.sourcePath, key);
    const description = { markdown: plan.description, location: () => locationOf("description") };
    const texts = await inline.prepare(plan, [description, ...banners]);
    const stylesheets = [...new Set([...body.stylesheets, ...texts.stylesheets, ...menuSheets])];
    const ofIcon = plan.icon && checkIcon(plan.icon, () => locationOf("icon"));
    const external = [...body.external, ...texts.external, ...(ofIcon?.external ?? [])];
    const rendered = { ...body, stylesheets, external };
    const { feed, markdown } = beside;
    const metadata = head(plan, { hasFeed: feed !== undefined });
    const html = theme.document(plan, rendered, { metadata, feed, markdown });
    clock.lap("theme");

    const pageFiles: PageFile[] = [
      { path: plan.outputPath, content: html },
      ...beside.files.map(({ path, text }) => ({ path, content: text })),
      ...rendered.files.map(({ outputPath, bytes }) => ({ path: outputPath, content: bytes })),
      ...(content.files ?? []).map(({ outputPath, text }) => ({ path: outputPath, content: text })),
    ];
    const own = new Set(pageFiles.map((file) => file.path));
    const diagnostics = [
      ...content.diagnostics,
      ...rendered.diagnostics,
      ...texts.diagnostics,
      ...(ofIcon?.diagnostics ?? []),
    ];
    const checked = checkPage({
      outputPath: plan.outputPath,
      html,
      uses: [...rendered.uses, ...texts.uses],
      chromeLocation,
      reported: diagnostics,
      isFile: (path) => bundled.has(path) || own.has(path),
    });
    clock.lap("check");
    return { rendered, files: pageFiles, checked, diagnostics };
  }
}

interface PageFile {
  readonly path: string;
  readonly content: FileContent;
}

interface FinishedPage {
  readonly rendered: RenderedPage;
  readonly files: readonly PageFile[];
  readonly checked: PageCheck;
  /** Those of the check left out. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A page whose whole text is what went wrong with it. */
function errorContent(fault: Diagnostic): PageContent {
  const { line, column } = fault.location ?? {};
  return {
    tree: { type: "root", children: [{ type: "parseError", reason: fault.what, excerpt: "", line, column }] },
    ok: false,
    snippets: [],
    diagnostics: [],
  };
}

function brokenPage(plan: PagePlan, error: unknown): Diagnostic {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const at = error instanceof Error ? (error.stack?.split("\n")[1]?.trim() ?? "") : "";
  return {
    code: "PAGE_FAILED",
    severity: "error",
    what: `The page could not be rendered (${reason}; ${at.replace(/\(?file:.*\/dist\//, "(")}).`,
    location: { sourcePath: plan.sourcePath },
    fix: "this is a bug of Offprint: please report it with the page.",
  };
}

function bannersOf({ config, sections }: Site): InlineText[] {
  const banners = [config.banner, ...sections.map((section) => section.banner)];
  return banners.flatMap((banner) =>
    banner ? [{ markdown: banner.content, location: () => banner.location ?? { sourcePath: config.sourcePath } }] : [],
  );
}

interface Clock {
  /** Time since the last lap goes to this stage. */
  lap(stage: string): void;
  laps(highlightMs: number): Record<string, number>;
}

function createClock(): Clock {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    lap(stage) {
      const now = performance.now();
      laps[stage] = (laps[stage] ?? 0) + now - last;
      last = now;
    },
    laps: (highlightMs) => ({ ...laps, render: (laps["render"] ?? 0) - highlightMs, highlight: highlightMs }),
  };
}
