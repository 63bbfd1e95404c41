import { createPageOutputs, outputPathsOf } from "../../bundle/outputs/page-outputs.js";
import { notFoundPage } from "../../bundle/outputs/site-outputs.js";
import { createRecorder, createRecordFile } from "../../bundle/search/index.js";
import { locationOfSetting } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import type { CallMain, Spend, WaitForMain } from "../../lib/queue/serve-tasks.js";
import { createPageCheck } from "../../page/check/check-page.js";
import { navigationIcons } from "../../page/theme/icons.js";
import { notePaths } from "../store/page-reads.js";
import { createPageRecorder } from "../store/page-recorder.js";
import { modelScript, modelScriptPath } from "./api-pages.js";
import {
  createContentStage,
  createIslandStage,
  createRenderStage,
  placedInSpec,
  type RenderStage,
} from "./body-stages.js";
import { createPageClock, makeBody, makePage, type PageStages } from "./make-page.js";
import { openPageThread, type PageThread } from "./open-page-thread.js";
import { createThemeStage, type ThemeStage } from "./theme-stage.js";
import type { PageRecord, PageResult, PageTask, PageThreadData } from "./thread-messages.js";

/**
 * Prepares the stages that the pages of one thread go through, and returns the function that makes and writes one page.
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
  const stages: PageStages = {
    content,
    islands: createIslandStage(call),
    render,
    outputs,
    theme,
    check: createPageCheck(),
    chromeLocation: thread.chromeLocation,
  };
  const searchRecordOf = data.scratch === undefined ? undefined : createRecorder(site);
  const writeSearchRecord = data.scratch === undefined ? undefined : createRecordFile(data.scratch);
  const recorder = createPageRecorder(thread);

  return async (task) => {
    thread.addEmbedded(task.embedded);
    if (task.kind === "shared") return recorder.finishShared(await makeSharedFiles(thread, render, theme, task.root));
    const plan = task.kind === "model" ? models.plan(task.model) : site.pages[task.index]!;
    const clock = createPageClock();
    recorder.begin(plan);
    const source = lazy(() => plan.generated?.text ?? files.readText(plan.sourcePath));
    const page = { plan, source, onBody: recorder.writeBody, clock };
    if (task.bodyOnly) {
      // A page that has vanished ends the part.
      source();
      // The export that makes the whole page reports a failure.
      const body = await makeBody(stages, page).catch(() => undefined);
      const diagnostics = [...(body?.content.diagnostics ?? []), ...(body?.outputs.diagnostics ?? [])];
      return {
        record: emptyRecord,
        models: models.tasks(plan, body?.content.models),
        toStore: body && recorder.finish(diagnostics, searchRecordOf?.(plan, body.rendered)),
        timings: clock.timings(body?.rendered.highlightMs ?? 0),
        processorMs: clock.processorMs(),
      };
    }
    const storedBody = task.lost ? undefined : recorder.readBody(task.storedBody);
    const result = await makePage(stages, { ...page, lost: task.lost, storedBody });

    const isReused = storedBody !== undefined && !result.isErrorPage;
    const stored = new Map(isReused ? task.storedFiles?.map((file) => [file.path, file]) : []);
    const written = result.files.map(({ path, content }) => stored.get(path) ?? write(path, content));
    // For pages of the plan, `settleModelScripts` decides: only after all pages is it known whether one loads their fields.
    const script = task.kind === "model" ? modelScript(result.body.html) : undefined;
    const scriptPath = modelScriptPath(plan.outputPath);
    if (script !== undefined) written.push(stored.get(scriptPath) ?? write(scriptPath, script));
    clock.add("write");
    // A page that is made again with embedded copies has the same text.
    const searchRecord = task.embedded || isReused ? undefined : searchRecordOf?.(plan, result.body);
    const sourceOfRecord = searchRecord && writeSearchRecord?.(searchRecord);
    clock.add("search");
    const diagnostics = placedInSpec(result.diagnostics, plan, content.specs);
    return {
      record: {
        files: written,
        ids: result.ids.join("\n"),
        anchorsWanted: result.anchorsWanted,
        external: result.external,
        diagnostics,
        stylesheets: result.stylesheets,
        inputs: thread.takeInputs(),
      },
      models: models.tasks(plan, result.models),
      searchRecord: sourceOfRecord,
      toStore: result.isErrorPage || task.embedded ? undefined : recorder.finish(diagnostics, searchRecord),
      isReused,
      timings: clock.timings(result.body.highlightMs),
      processorMs: clock.processorMs(),
    };
  };
}

const emptyRecord: PageRecord = {
  files: [],
  ids: "",
  anchorsWanted: [],
  external: [],
  diagnostics: [],
  stylesheets: [],
  inputs: [],
};

/** Makes the 404 page and large sidebars, which the bundle has once, and reports mistakes in what all pages show. */
async function makeSharedFiles(
  { site, baseUrl, takeInputs, write, chromeLocation }: PageThread,
  renderer: RenderStage,
  { theme, checkIcon, prepareTexts }: ThemeStage,
  servedAt: string | undefined,
): Promise<PageResult> {
  const outputPath = "404.html";
  const plan = { ...site.pages[site.homePage ?? 0]!, outputPath };
  const notFound = notFoundPage(site, baseUrl);
  const root = servedAt ?? (baseUrl === undefined ? "" : notFound.root);
  const description = {
    markdown: notFound.description,
    location: () => locationOfSetting(site.config, "errors.404.description"),
  };
  const texts = await prepareTexts(plan, [description], root);
  const files = [
    write(outputPath, theme.notFound(root, texts.stylesheets)),
    ...theme.navScripts().map(({ outputPath, text }) => write(outputPath, text)),
  ];
  const icons = navigationIcons(site).map((choice) => checkIcon(choice, () => choice.location ?? chromeLocation));
  return {
    record: {
      ...emptyRecord,
      files,
      external: [...texts.external, ...icons.flatMap((icon) => icon.external)],
      diagnostics: [
        ...texts.diagnostics,
        ...theme.faults().diagnostics,
        ...icons.flatMap((icon) => icon.diagnostics),
        ...renderer.diagnostics,
      ],
      stylesheets: texts.stylesheets,
      inputs: takeInputs(),
    },
    models: [],
    timings: {},
  };
}
