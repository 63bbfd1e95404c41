import { notFoundPage } from "../bundle/outputs/index.js";
import { locationOfSetting } from "../lib/diagnostic/index.js";
import { navigationIcons } from "../page/theme/index.js";
import type { PageThread } from "./open-page-thread.js";
import type { PageResult } from "./page-result.js";
import type { RenderStage } from "./render-stage.js";
import type { ThemeStage } from "./theme-stage.js";

/** Makes what the bundle has once for all pages, the 404 page and large sidebars, and reports on what all pages show. */
export async function makeSharedFiles(
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
