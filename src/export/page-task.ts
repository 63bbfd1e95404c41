import { createPageOutputs, outputPathsOf } from "../bundle/outputs/index.js";
import { createRecorder, createRecordFile } from "../bundle/search/index.js";
import type { CallMain, Spend, WaitForMain } from "../lib/queue/index.js";
import { createPageCheck } from "../page/check/index.js";
import { createContentStage } from "./content-stage.js";
import { createIslandStage } from "./island-stage.js";
import { makeBodyAlone, makePage, type PageStages } from "./make-page.js";
import { modelFile } from "./model-pages.js";
import { openPageThread } from "./open-page-thread.js";
import { createPageClock } from "./page-clock.js";
import { notePaths } from "./page-reads.js";
import type { PageResult } from "./page-result.js";
import type { PageTask, PageThreadData } from "./page-thread-data.js";
import { createRenderStage } from "./render-stage.js";
import { makeSharedFiles } from "./shared-files.js";
import { placedInSpec } from "./spec-pages.js";
import { createStoredPages } from "./stored-pages.js";
import { createThemeStage } from "./theme-stage.js";

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
