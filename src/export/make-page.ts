import type { FileContent } from "../bundle/archive/index.js";
import type { createPageOutputs } from "../bundle/outputs/index.js";
import type { Diagnostic, Location } from "../lib/diagnostic/index.js";
import { checkPage, healLinks, type PageCheck } from "../page/check/index.js";
import type { PageContent } from "../page/content/index.js";
import type { RenderedPage, Renderer } from "../page/render/index.js";
import { chromeIds } from "../page/theme/index.js";
import type { PagePlan } from "../site/site.js";
import type { ContentStage } from "./content-stage.js";
import { errorContent, pageFailed } from "./error-page.js";
import type { IslandStage } from "./island-stage.js";
import type { PageClock } from "./page-clock.js";
import type { PageDocument, ThemeStage } from "./theme-stage.js";

/** In the order in which a page goes through them; the check comes last. */
export interface PageStages {
  readonly content: ContentStage;
  readonly islands: IslandStage;
  readonly render: Pick<Renderer, "render">;
  readonly outputs: ReturnType<typeof createPageOutputs>;
  readonly theme: ThemeStage;
  /** Location of what docs.json adds to every page. */
  readonly chromeLocation: Location;
}

export interface PageToMake {
  readonly plan: PagePlan;
  /** The page's text, front matter included. */
  readonly source: string;
  /** Why an earlier attempt failed: the page becomes an error page that says so. */
  readonly lost?: Diagnostic | undefined;
  readonly clock: PageClock;
}

/** A page with all its files, none of them written. */
export interface MadePage extends PageCheck, Pick<PageDocument, "external" | "stylesheets"> {
  readonly body: RenderedPage;
  readonly files: readonly { readonly path: string; readonly content: FileContent }[];
  readonly models: PageContent["models"];
}

/** Makes one page: content -> islands -> render -> outputs -> theme -> check. An error on the way affects only this page. */
export async function makePage(stages: PageStages, page: PageToMake): Promise<MadePage> {
  if (page.lost !== undefined) return makeErrorPage(stages, page, page.lost);
  try {
    const content = await stages.islands(page.plan, stages.content.content(page.plan));
    page.clock.lap("content");
    return await finishPage(stages, page, content);
  } catch (error) {
    return makeErrorPage(stages, page, pageFailed(page.plan, error));
  }
}

async function makeErrorPage(stages: PageStages, page: PageToMake, reason: Diagnostic): Promise<MadePage> {
  const made = await finishPage(stages, page, errorContent(reason));
  return { ...made, diagnostics: [reason, ...made.diagnostics] };
}

/** The stages after the content. Outputs come before the theme: a page links to its Markdown version and its feed. */
async function finishPage(stages: PageStages, page: PageToMake, content: PageContent): Promise<MadePage> {
  const { plan, source, clock } = page;
  const body = await stages.render.render(plan, content);
  clock.lap("render");
  const { whole, models = [] } = content;
  const outputs = stages.outputs(plan, whole ? { ...content, tree: whole } : content, source);
  clock.lap("outputs");
  const document = await stages.theme.document(plan, source, body, outputs);
  clock.lap("theme");

  const otherFiles = [
    ...outputs.files.map(({ path, text }) => ({ path, content: text })),
    ...body.files.map(({ outputPath, bytes }) => ({ path: outputPath, content: bytes })),
    ...(content.files ?? []).map(({ outputPath, text }) => ({ path: outputPath, content: text })),
  ];
  const own = new Set([...otherFiles.map((file) => file.path), ...models.map((model) => model.outputPath)]);
  const reported = [...content.diagnostics, ...outputs.diagnostics, ...document.diagnostics];
  const checked = checkPage({
    outputPath: plan.outputPath,
    html: document.html,
    uses: document.uses,
    chromeLocation: stages.chromeLocation,
    reported,
    isFile: (path) => stages.theme.isBundled(path) || own.has(path),
    everywhere: chromeIds,
  });
  const { healed } = checked;
  const html =
    healed.size === 0 ? document.html : document.html.map((piece) => healLinks(piece, plan.outputPath, healed));
  const files = [{ path: plan.outputPath, content: html }, ...otherFiles];
  clock.lap("check");
  const { external, stylesheets } = document;
  return { ...checked, body, files, models, external, stylesheets, diagnostics: [...reported, ...checked.diagnostics] };
}
