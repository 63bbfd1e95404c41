import { readFileSync } from "node:fs";
import { createBundleWriter, type WriteBundleFile } from "../../bundle/archive/index.js";
import { buildAssets } from "../../bundle/assets/build-assets.js";
import { settingsUses } from "../../bundle/assets/named-files.js";
import { readStyles, type StyleTexts } from "../../bundle/assets/site-code.js";
import { copyStaticFiles } from "../../bundle/assets/static-files.js";
import { resolveBaseUrl } from "../../bundle/outputs/address.js";
import { siteOutputs } from "../../bundle/outputs/site-outputs.js";
import { searchScopes } from "../../bundle/search/index.js";
import { openFolderCache } from "../../lib/cache/index.js";
import { type Diagnostic, errorOf } from "../../lib/diagnostic/index.js";
import { locationOfKey } from "../../page/content/index.js";
import { codeThemeCss } from "../../page/highlight/code-theme-css.js";
import type { ExternalUse } from "../../page/render/index.js";
import { navigationIcons, pictureOfIcon } from "../../page/theme/icons.js";
import { printedSections } from "../../page/theme/sections.js";
import type { IconChoice } from "../../site/config/index.js";
import { type Addresses, createAddresses, embeddedKey, isLoadedAs } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { EmbeddedEntries, PageRecord } from "../pages/thread-messages.js";
import type { TrackedFiles } from "../store/source-files.js";
import { resolveServices } from "./reader-services.js";
import type { ExportRun } from "./start-run.js";

/** The bundle before its pages are made. */
export type BegunBundle = Awaited<ReturnType<typeof beginBundle>>;

/**
 * Writes what pages refer to: scripts, style sheets and fonts, whose names contain a hash, and the site's static files.
 *
 * @param copiesFiles whether the static files are copied now; default: yes
 */
export async function beginBundle(run: ExportRun, site: Site, siteFiles: TrackedFiles, { copiesFiles = true } = {}) {
  const { settings, progress, timings, staging } = run;
  progress("assets", 0, 1);
  const { baseUrl, diagnostics: urlFaults } = resolveBaseUrl(site.config, settings.baseUrl, settings.fallbackBaseUrl);
  const services = resolveServices(settings, baseUrl);
  const { assistant, analytics, mcp } = services;
  const write = createBundleWriter(staging?.folder);
  const remote = await openRemoteFiles(run, siteFiles, write);
  const addresses = createAddresses(site, remote?.embedded);
  const styles = readStyles(site, siteFiles);
  if (remote) await timings.measure("embed", () => remote.embedSettings(site, addresses, styles));
  const assets = await timings.measure("assets", () =>
    buildAssets({
      site,
      addresses,
      files: siteFiles,
      styles,
      hasBaseUrl: baseUrl !== undefined,
      assistant,
      analytics,
      mcp,
      codeThemeCss: (grounds) => codeThemeCss(site.config.styling.codeblocks, grounds),
      write: (path, bytes) => void write(path, bytes),
    }),
  );
  const copied = await timings.measure("copy", () =>
    copyStaticFiles(copiesFiles ? site.staticFiles : [], siteFiles, staging?.folder, settings.signal),
  );
  // Load lazily: half of all sites have no specification.
  const specFiles =
    site.specs.length > 0
      ? (await import("./spec-files.js")).specFiles(site, siteFiles, assets.manifest.playground !== undefined)
      : undefined;
  const makeOutputs = () =>
    siteOutputs(site, {
      addresses,
      baseUrl,
      headScript: assets.manifest.headScript,
      speculationRules: assets.speculationRules,
      mainFont: assets.mainFont,
      mcp,
      specFiles,
      readMarkdown: (path) => staging && readFileSync(staging.placeOf(path), "utf8"),
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
    /** Output paths of `files`, and of static files that are not copied yet. */
    filePaths: [
      ...assets.files.map(({ path }) => path),
      ...(copiesFiles ? copied.files.map(({ path }) => path) : site.staticFiles),
    ],
    /** Files of the whole site, to be written after the pages: they contain the pages' Markdown. */
    outputs: outputs.files,
    /** Creates the same files again, since a streamed text can be read only once. */
    outputsAgain: () => makeOutputs().files,
    redirectTargets: outputs.redirectTargets,
    external: assets.external,
    /** Copies of files of other hosts, which are not in `files`; undefined unless the export embeds them. */
    remote,
    diagnostics: [
      ...urlFaults,
      ...services.diagnostics,
      ...assets.diagnostics,
      ...copied.diagnostics,
      ...outputs.diagnostics,
    ],
  };
}

/** Copies of what the site loads from other hosts. Undefined unless the export embeds such files. */
async function openRemoteFiles(run: ExportRun, files: TrackedFiles, write: WriteBundleFile) {
  const { embedRemote, cacheFolder, signal, paths } = run.settings;
  if (!embedRemote) return undefined;
  const { createRemoteFiles, emptyLock, lockName, parseLock, printLock } = await import("../../bundle/remote/index.js");
  const text = files.has(lockName) ? files.readText(lockName) : undefined;
  const lock = text === undefined ? emptyLock : parseLock(text);
  const cache = cacheFolder === undefined ? undefined : openFolderCache(cacheFolder);
  const { fetchBytes } = run.environment;
  const remote = await createRemoteFiles({ fetchBytes, lock: lock ?? emptyLock, cache, write, signal });
  return {
    ...remote,
    get diagnostics() {
      return lock ? remote.diagnostics : [invalidLock(lockName), ...remote.diagnostics];
    },
    /** Text of the new lock file; undefined if there is nothing to write. */
    lockText(): string | undefined {
      // A file that cannot be parsed stays as it is.
      if (!lock) return undefined;
      const next = remote.newLock(paths !== undefined);
      return next.size === 0 && text === undefined ? undefined : printLock(next);
    },
    /** Fetches what the settings, the site's style sheets and the icons of the navigation load, before any page is made. */
    async embedSettings(site: Site, addresses: Addresses, styles: StyleTexts): Promise<void> {
      const uses = [...(await settingsUses(site, addresses, styles)), ...iconUses(site, addresses, files)];
      await remote.embed(uses, (done, total) => run.progress("assets", done, total));
    },
    /** Fetches what the pages load; returns the copies that each page can use. */
    async embedPages(records: readonly PageRecord[]): Promise<readonly EmbeddedEntries[]> {
      const uses = records.flatMap((record) => record.external);
      await remote.embed(uses, (done, total) => run.progress("embed", done, total));
      return records.map(({ external }) => {
        const copies = new Map(
          external.flatMap(({ kind, url }) => {
            const key = embeddedKey(url);
            const file = remote.embedded.get(key);
            return file && isLoadedAs(kind, file) ? [[key, file] as const] : [];
          }),
        );
        return [...copies];
      });
    },
  };
}

/** Images of other hosts that are icons of the navigation and of pages. */
function iconUses(site: Site, addresses: Addresses, files: TrackedFiles): ExternalUse[] {
  const inSettings = { sourcePath: site.config.sourcePath };
  const useOf = (icon: IconChoice | undefined, locate: () => ExternalUse["location"]): ExternalUse[] => {
    const picture = icon && pictureOfIcon(icon);
    if (!picture || !("url" in picture)) return [];
    const target = addresses.resolve(picture.url, inSettings);
    return target.kind === "external" ? [{ kind: "image", url: target.url, location: locate() }] : [];
  };
  return [
    ...navigationIcons(site).flatMap((icon) => useOf(icon, () => icon.location ?? inSettings)),
    ...site.pages.flatMap(({ icon, sourcePath, generated }) =>
      useOf(icon, () => locationOfKey(sourcePath, generated?.text ?? files.readText(sourcePath), "icon")),
    ),
  ];
}

const invalidLock = (sourcePath: string): Diagnostic => ({
  ...errorOf("LOCK_INVALID"),
  what: "This file is not a lock file that an export has written, so it is ignored.",
  location: { sourcePath },
  fix: "restore it, or delete it to accept all files from other hosts as they are now.",
});
