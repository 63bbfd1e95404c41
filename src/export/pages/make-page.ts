import type { FileContent } from "../../bundle/archive/index.js";
import type { createPageOutputs } from "../../bundle/outputs/page-outputs.js";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { systemErrorCode } from "../../lib/system-error.js";
import type { PageCheck, PageToCheck } from "../../page/check/check-page.js";
import { repairLinks } from "../../page/check/repair-links.js";
import type { PageContent } from "../../page/content/index.js";
import type { RenderedPage, Renderer } from "../../page/render/index.js";
import { chromeIds } from "../../page/theme/chrome/hooks.js";
import type { PagePlan } from "../../site/site.js";
import type { PageBody } from "../store/page-recorder.js";
import { bodyPlanOf } from "../store/plan-hashes.js";
import type { ContentStage, IslandStage } from "./body-stages.js";
import type { PageDocument, ThemeStage } from "./theme-stage.js";

/** In the order in which a page goes through them. */
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
  /** Reads the page's text, front matter included. A page with a stored body seldom needs it. */
  readonly source: () => string;
  /** Why an earlier attempt failed: the page becomes an error page that says so. */
  readonly lost?: Diagnostic | undefined;
  /** The body of an earlier export, if it can be reused. */
  readonly storedBody?: PageBody | undefined;
  /** Called with a body that was made, before the document. Not for error pages. */
  readonly onBody: (body: PageBody) => void;
  readonly clock: PageClock;
}

/** A page with all its files, none of them written. */
interface MadePage extends PageCheck, Pick<PageDocument, "external" | "stylesheets"> {
  readonly body: RenderedPage;
  readonly files: readonly { readonly path: string; readonly content: FileContent }[];
  readonly models: PageContent["models"];
  readonly isErrorPage: boolean;
}

/** Makes one page: its body, the document around it, and the check of both. An error on the way affects only this page. */
export async function makePage(stages: PageStages, page: PageToMake): Promise<MadePage> {
  if (page.lost !== undefined) return makeErrorPage(stages, page, page.lost);
  try {
    return await makeDocument(stages, page, page.storedBody ?? (await makeBody(stages, page)));
  } catch (error) {
    // The page is not at fault if a file cannot be read.
    if (systemErrorCode(error) !== undefined) throw error;
    return makeErrorPage(stages, page, pageFailed(page.plan, error));
  }
}

/** Makes what a page shows without its surroundings: content -> islands -> render -> outputs. */
export async function makeBody(stages: PageStages, page: PageToMake): Promise<PageBody> {
  const plan = bodyPlanOf(page.plan);
  const content = await stages.islands(plan, stages.content.content(plan));
  page.clock.add("content");
  const body = await renderBody(stages, page, content);
  page.onBody(body);
  return body;
}

async function makeErrorPage(stages: PageStages, page: PageToMake, reason: Diagnostic): Promise<MadePage> {
  const errorPage = await makeDocument(stages, page, await renderBody(stages, page, errorContent(reason)));
  return { ...errorPage, diagnostics: [reason, ...errorPage.diagnostics], isErrorPage: true };
}

/** Outputs come before the theme: a page links to its Markdown version and its feed. */
async function renderBody(stages: PageStages, page: PageToMake, content: PageContent): Promise<PageBody> {
  const { source, clock } = page;
  const plan = bodyPlanOf(page.plan);
  const rendered = await stages.render.render(plan, content);
  clock.add("render");
  const outputs = stages.outputs(plan, content, source());
  clock.add("outputs");
  return { content, rendered, outputs };
}

async function makeDocument(stages: PageStages, page: PageToMake, body: PageBody): Promise<MadePage> {
  const { plan, source, clock } = page;
  const { content, rendered, outputs } = body;
  const { models = [] } = content;
  const document = await stages.theme.document(plan, source, rendered, outputs);
  clock.add("theme");

  const otherFiles = [
    ...outputs.files.map(({ path, text }) => ({ path, content: text })),
    ...rendered.files.map(({ outputPath, bytes }) => ({ path: outputPath, content: bytes })),
    ...(content.files ?? []).map(({ outputPath, text }) => ({ path: outputPath, content: text })),
  ];
  const filesOfPage = new Set([...otherFiles.map(({ path }) => path), ...models.map(({ outputPath }) => outputPath)]);
  const reported = [...content.diagnostics, ...outputs.diagnostics, ...document.diagnostics];
  const checked = stages.check({
    outputPath: plan.outputPath,
    html: document.html,
    uses: document.uses,
    chromeLocation: stages.chromeLocation,
    reported,
    isFile: (path) => stages.theme.isBundled(path) || filesOfPage.has(path),
    everywhere: chromeIds,
  });
  const { repairs } = checked;
  const html =
    repairs.size === 0 ? document.html : document.html.map((part) => repairLinks(part, plan.outputPath, repairs));
  clock.add("check");
  return {
    ...checked,
    body: rendered,
    files: [{ path: plan.outputPath, content: html }, ...otherFiles],
    models,
    external: document.external,
    stylesheets: document.stylesheets,
    diagnostics: [...reported, ...checked.diagnostics],
    isErrorPage: false,
  };
}

type PageClock = ReturnType<typeof createPageClock>;

/** Measures the stages of one page, in milliseconds. */
export function createPageClock() {
  const timings: Record<string, number> = {};
  const began = threadMs();
  let last = performance.now();
  return {
    /** Processor time of this thread since the page was begun. */
    processorMs: () => threadMs() - began,
    /** Adds the time since the last call to this stage. */
    add(stage: string): void {
      const now = performance.now();
      timings[stage] = (timings[stage] ?? 0) + now - last;
      last = now;
    },
    /** @param highlightMs the share of "render" that goes to "highlight" */
    timings: (highlightMs: number): Record<string, number> => ({
      ...timings,
      render: (timings["render"] ?? 0) - highlightMs,
      highlight: highlightMs,
    }),
  };
}

/** Processor time of this thread; wall time in Node 22, which cannot measure it. */
const threadMs = (): number => {
  const usage = process.threadCpuUsage?.();
  return usage ? (usage.user + usage.system) / 1000 : performance.now();
};

/** Content of a page whose only text is what went wrong with it. */
function errorContent({ what, location }: Diagnostic): PageContent {
  const { line, column } = location ?? {};
  return {
    tree: { type: "root", children: [{ type: "parseError", reason: what, excerpt: "", line, column }] },
    ok: false,
    snippets: [],
    diagnostics: [],
  };
}

function pageFailed({ sourcePath }: PagePlan, error: unknown): Diagnostic {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const at = error instanceof Error ? (error.stack?.split("\n")[1]?.trim() ?? "") : "";
  const what = `The page could not be rendered (${reason}; ${at.replace(/\(?file:.*\/dist\//, "(")}).`;
  const fix = "this is a bug in Offprint: please report it and attach the page.";
  return { code: "PAGE_FAILED", severity: "error", what, location: { sourcePath }, fix };
}
