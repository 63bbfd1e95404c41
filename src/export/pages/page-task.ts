import { createPageOutputs, notFoundPage, outputPathsOf } from "../../bundle/outputs/index.js";
import { createRecorder, createRecordFile } from "../../bundle/search/index.js";
import { locationOfSetting } from "../../lib/diagnostic/index.js";
import type { CallMain, Spend, WaitForMain } from "../../lib/queue/index.js";
import { createPageCheck } from "../../page/check/index.js";
import { navigationIcons } from "../../page/theme/index.js";
import { notePaths } from "../store/page-reads.js";
import { createStoredPages } from "../store/stored-pages.js";
import { modelFile } from "./api-pages.js";
import {
  createContentStage,
  createIslandStage,
  createRenderStage,
  placedInSpec,
  type RenderStage,
} from "./body-stages.js";
import { createPageClock, makeBodyAlone, makePage, type PageStages } from "./make-page.js";
import { openPageThread, type PageThread } from "./open-page-thread.js";
import { createThemeStage, type ThemeStage } from "./theme-stage.js";
import type { PageResult, PageTask, PageThreadData } from "./thread-messages.js";

/**
 * Prepares the stages that the pages of one thread go through, and gives the function that makes and writes one page.
 *
 * Fails: a page that cannot be rendered becomes an error page with a diagnostic. A failure of the file system is thrown.
 */
export async function createPageTask(
  data: PageThreadData,
  call: CallMain,
  wait?: WaitForMain,
  spend?: Spend,
): Promise<(task: PageTask) => Promise<PageResult>> {
  const thread = await openPageThread(data);
  const { site, files, models, write, log } = thread;
  const content = await createContentStage(thread, wait, spend);
  const render = await createRenderStage(thread, content, call);
  const outputs = createPageOutputs(thread.bodySite, {
    addresses: thread.bodyAddresses,
    paths: notePaths(outputPathsOf(site), log),
    baseUrl: thread.baseUrl,
    readSource: (path) => (files.has(path) ? files.readText(path) : undefined),
  });
  const theme = createThemeStage(thread, render);
  const islands = createIslandStage(call);
  const stages: PageStages = {
    content,
    islands,
    render,
    outputs,
    theme,
    check: createPageCheck(),
    chromeLocation: thread.chromeLocation,
  };
  const record = data.scratch === undefined ? undefined : createRecorder(site);
  const putRecord = data.scratch === undefined ? undefined : createRecordFile(data.scratch);
  const stored = createStoredPages(thread);

  return async (task) => {
    thread.addEmbedded(task.embedded);
    if (task.kind === "shared") return stored.shared(await makeSharedFiles(thread, render, theme));
    const plan = task.kind === "model" ? models.plan(task.model) : site.pages[task.index]!;
    const clock = createPageClock();
    stored.begin(plan);
    const source = plan.generated?.text ?? files.readText(plan.sourcePath);
    if (task.bodyOnly) {
      const made = await makeBodyAlone(stages, { plan, source, onBody: stored.putBody, clock });
      const kept =
        made && stored.keep([...made.content.diagnostics, ...made.outputs.diagnostics], record?.(plan, made.rendered));
      const named = models.tasks(plan, made?.content.models);
      const timings = clock.laps(made?.rendered.highlightMs ?? 0);
      return { ...noDocument, models: named, ...(kept ? { kept } : {}), timings };
    }
    const body = task.lost ? undefined : stored.read(task.stored);
    const page = await makePage(stages, { plan, source, lost: task.lost, stored: body, onBody: stored.putBody, clock });

    const script = task.kind === "model" ? [modelFile(plan, page.body)] : [];
    const written = [...page.files, ...script].map(({ path, content }) => write(path, content));
    clock.lap("write");
    const isStored = body !== undefined && !page.isErrorPage;
    // The text of a page that is made again is the same.
    const words = task.embedded || isStored ? undefined : record?.(plan, page.body);
    const searchRecord = words && putRecord?.(words);
    clock.lap("search");
    const diagnostics = placedInSpec(page.diagnostics, plan, content.specs);
    const kept = page.isErrorPage || task.embedded ? undefined : stored.keep(diagnostics, words);
    return {
      files: written,
      ids: page.ids.join("\n"),
      anchorsWanted: page.anchorsWanted,
      external: page.external,
      diagnostics,
      stylesheets: page.stylesheets,
      inputs: thread.takeInputs(),
      models: models.tasks(plan, page.models),
      ...(searchRecord ? { searchRecord } : {}),
      ...(kept ? { kept } : {}),
      ...(isStored ? { isStored: true as const } : {}),
      timings: clock.laps(page.body.highlightMs),
    };
  };
}

const noDocument = {
  files: [],
  ids: "",
  anchorsWanted: [],
  external: [],
  diagnostics: [],
  stylesheets: [],
  inputs: [],
} satisfies Partial<PageResult>;

/** Makes what the bundle has once for all pages, the 404 page and large sidebars, and reports on what all pages show. */
async function makeSharedFiles(
  { site, baseUrl, takeInputs, write, chromeLocation }: PageThread,
  renderer: RenderStage,
  { theme, checkIcon, prepareTexts }: ThemeStage,
): Promise<PageResult> {
  const outputPath = "404.html";
  const plan = { ...site.pages[site.homePage ?? 0]!, outputPath };
  const notFound = notFoundPage(site, baseUrl);
  const root = baseUrl === undefined ? "" : notFound.root;
  const description = {
    markdown: notFound.description,
    location: () => locationOfSetting(site.config, "errors.404.description"),
  };
  const texts = await prepareTexts(plan, [description], root);
  const written = [write(outputPath, theme.notFound(root, texts.stylesheets))];
  for (const { outputPath, text } of theme.navScripts()) written.push(write(outputPath, text));
  const icons = navigationIcons(site).map((choice) => checkIcon(choice, () => choice.location ?? chromeLocation));
  return {
    files: written,
    ids: "",
    anchorsWanted: [],
    external: [...texts.external, ...icons.flatMap((icon) => icon.external)],
    diagnostics: [
      ...texts.diagnostics,
      ...theme.faults().diagnostics,
      ...icons.flatMap((icon) => icon.diagnostics),
      ...renderer.diagnostics,
    ],
    stylesheets: texts.stylesheets,
    inputs: takeInputs(),
    models: [],
    timings: {},
  };
}
