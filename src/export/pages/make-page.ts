import type { FileContent } from "../../bundle/archive/index.js";
import type { createPageOutputs } from "../../bundle/outputs/index.js";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { systemErrorCode } from "../../lib/system-error.js";
import { type PageCheck, type PageToCheck, repairLinks } from "../../page/check/index.js";
import type { PageContent } from "../../page/content/index.js";
import type { RenderedPage, Renderer } from "../../page/render/index.js";
import { chromeIds } from "../../page/theme/index.js";
import type { PagePlan } from "../../site/site.js";
import { bodyPlanOf } from "../store/page-facts.js";
import type { PageBody } from "../store/stored-pages.js";
import type { ContentStage, IslandStage } from "./body-stages.js";
import type { PageDocument, ThemeStage } from "./theme-stage.js";

/** In the order in which a page goes through them; the check comes last. */
export interface PageStages {
  readonly content: ContentStage;
  readonly islands: IslandStage;
  readonly render: Pick<Renderer, "render">;
  readonly outputs: ReturnType<typeof createPageOutputs>;
  readonly theme: ThemeStage;
  readonly check: (page: PageToCheck) => PageCheck;
  /** Location of what docs.json adds to every page. */
  readonly chromeLocation: Location;
}

interface PageToMake {
  readonly plan: PagePlan;
  /** The page's text, front matter included. */
  readonly source: string;
  /** Why an earlier attempt failed: the page becomes an error page that says so. */
  readonly lost?: Diagnostic | undefined;
  /** From an earlier export. */
  readonly stored?: PageBody | undefined;
  /** Called with a body that was made, before the document. Not for error pages. */
  readonly onBody?: ((body: PageBody) => void) | undefined;
  readonly clock: PageClock;
}

/** A page with all its files, none of them written. */
interface MadePage extends PageCheck, Pick<PageDocument, "external" | "stylesheets"> {
  readonly body: RenderedPage;
  readonly files: readonly { readonly path: string; readonly content: FileContent }[];
  readonly models: PageContent["models"];
  readonly isErrorPage: boolean;
}

/** Makes one page: content -> islands -> render -> outputs -> theme -> check. An error on the way affects only this page. */
export async function makePage(stages: PageStages, page: PageToMake): Promise<MadePage> {
  if (page.lost !== undefined) return makeErrorPage(stages, page, page.lost);
  try {
    return await makeDocument(stages, page, page.stored ?? (await makeWholeBody(stages, page)));
  } catch (error) {
    // A file cannot be read: that is no fault of the page.
    if (systemErrorCode(error) !== undefined) throw error;
    return makeErrorPage(stages, page, pageFailed(page.plan, error));
  }
}

async function makeErrorPage(stages: PageStages, page: PageToMake, reason: Diagnostic): Promise<MadePage> {
  const made = await makeDocument(stages, page, await makeBody(stages, page, errorContent(reason)));
  return { ...made, diagnostics: [reason, ...made.diagnostics], isErrorPage: true };
}

/** What a page shows without its surroundings. Undefined if that fails: whoever makes the whole page reports it. */
export function makeBodyAlone(stages: PageStages, page: PageToMake): Promise<PageBody | undefined> {
  return makeWholeBody(stages, page).catch(() => undefined);
}

async function makeWholeBody(stages: PageStages, page: PageToMake): Promise<PageBody> {
  const plan = bodyPlanOf(page.plan);
  const content = await stages.islands(plan, stages.content.content(plan));
  page.clock.lap("content");
  const body = await makeBody(stages, page, content);
  page.onBody?.(body);
  return body;
}

/** Outputs come before the theme: a page links to its Markdown version and its feed. */
async function makeBody(stages: PageStages, page: PageToMake, content: PageContent): Promise<PageBody> {
  const { source, clock } = page;
  const plan = bodyPlanOf(page.plan);
  const rendered = await stages.render.render(plan, content);
  clock.lap("render");
  const outputs = stages.outputs(plan, content, source);
  clock.lap("outputs");
  return { content, rendered, outputs };
}

async function makeDocument(stages: PageStages, page: PageToMake, made: PageBody): Promise<MadePage> {
  const { plan, source, clock } = page;
  const { content, rendered: body, outputs } = made;
  const { models = [] } = content;
  const document = await stages.theme.document(plan, source, body, outputs);
  clock.lap("theme");

  const otherFiles = [
    ...outputs.files.map(({ path, text }) => ({ path, content: text })),
    ...body.files.map(({ outputPath, bytes }) => ({ path: outputPath, content: bytes })),
    ...(content.files ?? []).map(({ outputPath, text }) => ({ path: outputPath, content: text })),
  ];
  const own = new Set([...otherFiles.map((file) => file.path), ...models.map((model) => model.outputPath)]);
  const reported = [...content.diagnostics, ...outputs.diagnostics, ...document.diagnostics];
  const checked = stages.check({
    outputPath: plan.outputPath,
    html: document.html,
    uses: document.uses,
    chromeLocation: stages.chromeLocation,
    reported,
    isFile: (path) => stages.theme.isBundled(path) || own.has(path),
    everywhere: chromeIds,
  });
  const { repairs } = checked;
  const html =
    repairs.size === 0 ? document.html : document.html.map((piece) => repairLinks(piece, plan.outputPath, repairs));
  const files = [{ path: plan.outputPath, content: html }, ...otherFiles];
  clock.lap("check");
  const { external, stylesheets } = document;
  const diagnostics = [...reported, ...checked.diagnostics];
  return { ...checked, body, files, models, external, stylesheets, diagnostics, isErrorPage: false };
}

type PageClock = ReturnType<typeof createPageClock>;

/** Measures the stages of one page, in milliseconds. */
export function createPageClock() {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    /** Adds the time since the last call to this stage. */
    lap(stage: string): void {
      const now = performance.now();
      laps[stage] = (laps[stage] ?? 0) + now - last;
      last = now;
    },
    /** @param highlightMs the share of "render" that goes to "highlight". */
    laps: (highlightMs: number): Record<string, number> => ({
      ...laps,
      render: (laps["render"] ?? 0) - highlightMs,
      highlight: highlightMs,
    }),
  };
}

/** Content of a page whose only text is what went wrong with it. */
function errorContent(diagnostic: Diagnostic): PageContent {
  const { line, column } = diagnostic.location ?? {};
  return {
    tree: { type: "root", children: [{ type: "parseError", reason: diagnostic.what, excerpt: "", line, column }] },
    ok: false,
    snippets: [],
    diagnostics: [],
  };
}

function pageFailed(plan: PagePlan, error: unknown): Diagnostic {
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
