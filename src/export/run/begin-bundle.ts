import { readFileSync } from "node:fs";
import { createBundleWriter } from "../../bundle/archive/index.js";
import { buildAssets, copyStaticFiles, readStyles } from "../../bundle/assets/index.js";
import { resolveBaseUrl, siteOutputs } from "../../bundle/outputs/index.js";
import { searchScopes } from "../../bundle/search/index.js";
import { codeThemeCss } from "../../page/highlight/index.js";
import { printedSections } from "../../page/theme/index.js";
import { createAddresses } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { TrackedFiles } from "../store/source-files.js";
import { embedSettings, openRemoteStage } from "./embed-remote.js";
import { reachableServices, resolveAnalytics, resolveAssistant } from "./resolve-options.js";
import type { ExportRun } from "./start-run.js";

/** The bundle before its pages are made. */
export type BegunBundle = Awaited<ReturnType<typeof beginBundle>>;

/**
 * Writes what pages refer to: scripts, style sheets and fonts, whose names contain a hash, and the site's static files.
 *
 * @param copies the static files that are copied; default: all
 */
export async function beginBundle(
  run: ExportRun,
  site: Site,
  siteFiles: TrackedFiles,
  copies: readonly string[] = site.staticFiles,
) {
  const { settings, progress, timings } = run;
  const folder = run.staging?.folder;
  progress("assets", 0, 1);
  const { baseUrl, diagnostics: ofBaseUrl } = resolveBaseUrl(site.config, settings.baseUrl, settings.fallbackBaseUrl);
  const services = {
    assistant: resolveAssistant(settings.assistant, baseUrl),
    analytics: resolveAnalytics(settings.analytics, baseUrl),
  };
  const { assistant, analytics, diagnostics: ofServices } = reachableServices(settings.deployment, services, baseUrl);
  const write = createBundleWriter(folder);
  const remote = await openRemoteStage(run, siteFiles, write);
  const addresses = createAddresses(site, remote?.embedded);
  const styles = readStyles(site, siteFiles);
  if (remote) await timings.measure("embed", () => embedSettings(run, remote, site, addresses, siteFiles, styles));
  const assets = await timings.measure("assets", () =>
    buildAssets({
      site,
      addresses,
      files: siteFiles,
      styles,
      hasBaseUrl: baseUrl !== undefined,
      assistant,
      analytics,
      codeThemeCss: (grounds) => codeThemeCss(site.config.styling.codeblocks, grounds),
      write: (path, bytes) => void write(path, bytes),
    }),
  );
  const copied = await timings.measure("copy", () => copyStaticFiles(copies, siteFiles, folder, settings.signal));
  // Its modules are loaded for sites that have specifications.
  const specFiles =
    site.specs.length > 0
      ? (await import("./spec-files.js")).specFiles(site, siteFiles, assets.manifest.playground !== undefined)
      : undefined;
  const makeOutputs = () =>
    siteOutputs(site, {
      addresses,
      baseUrl,
      speculationRules: assets.speculationRules,
      mainFont: assets.mainFont,
      specFiles,
      readMarkdown: (path) => run.staging && readFileSync(run.staging.placeOf(path), "utf8"),
    });
  const outputs = makeOutputs();
  return {
    site,
    siteFiles,
    addresses,
    baseUrl,
    scopes: searchScopes(site),
    /** Sections written as one document each. */
    printed: site.config.contextual?.print ? printedSections(site) : [],
    write,
    assets: assets.manifest,
    assistant,
    analytics,
    /** Files already written: assets and the site's static files. */
    files: [...assets.files, ...copied.files],
    /** Files of the whole site, to be written after the pages: they contain the pages' Markdown. */
    outputs: outputs.files,
    /** The same once more: a streamed text can be read once. */
    outputsAgain: () => makeOutputs().files,
    redirectTargets: outputs.redirectTargets,
    external: assets.external,
    /** Copies of files of other hosts; its files are not in `files`. */
    remote,
    diagnostics: [...ofBaseUrl, ...ofServices, ...assets.diagnostics, ...copied.diagnostics, ...outputs.diagnostics],
  };
}
