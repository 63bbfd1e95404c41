import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { type BundleFile, type Staging, writeBundleStream } from "../../bundle/archive/index.js";
import { writeParts } from "../../bundle/assets/build-assets.js";
import { printedDocument } from "../../bundle/outputs/printed-document.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { type AnchorWanted, checkAnchors } from "../../page/check/check-anchors.js";
import { repairLinks, targetOf } from "../../page/check/repair-links.js";
import { chromeIds } from "../../page/theme/chrome/hooks.js";
import { missingRedirectTarget } from "../../site/links/index.js";
import { modelScript, modelScriptPath } from "../pages/api-pages.js";
import type { PageRecord } from "../pages/thread-messages.js";
import type { BegunBundle } from "./begin-bundle.js";
import type { MadePages } from "./make-pages.js";
import type { ExportRun } from "./start-run.js";

/**
 * Checks the links and redirects to anchors of other pages, whose ids are known only now, and rewrites the pages with links
 * that spell such an anchor differently. Few pages have any, so this costs less than parsing every page before the first is
 * rendered. One page at a time is in memory.
 *
 * Returns the records of all pages. `linkFaults` are about links and redirects to anchors that the page lacks or spells
 * differently, and to files that this bundle lacks.
 *
 * Stops: once `signal` aborts, rejects with its reason.
 */
export async function repairSiteLinks(run: ExportRun, bundle: BegunBundle, pageRecords: readonly PageRecord[]) {
  const { staging, settings } = run;
  const { site, write } = bundle;
  const redirects = checkRedirects(bundle, pageRecords);
  const checked = [
    ...site.pages.map(({ outputPath }, index) => ({ outputPath, ...pageRecords[index]! })),
    { outputPath: "", ids: "", anchorsWanted: redirects.anchorsWanted },
  ];
  const { repairs, diagnostics } = checkAnchors(checked, chromeIds, { sourcePath: site.config.sourcePath });
  const records = [...pageRecords];
  for (const { index, outputPath } of staging ? site.pages : []) {
    const anchors = repairs.get(outputPath);
    if (anchors === undefined) continue;
    await setImmediate();
    settings.signal?.throwIfAborted();
    const html = readFileSync(staging!.placeOf(outputPath), "utf8");
    const repaired = write(outputPath, repairLinks(html, outputPath, anchors));
    const record = records[index]!;
    records[index] = { ...record, files: record.files.map((file) => (file.path === outputPath ? repaired : file)) };
  }
  return { records, linkFaults: [...redirects.diagnostics, ...diagnostics] };
}

/** Writes the scripts with fields that other pages load, and removes unused ones. The pages must be final. */
export async function settleModelScripts(
  { staging }: ExportRun,
  { site, write }: BegunBundle,
  { records, opened, store }: Pick<MadePages, "records" | "opened" | "store">,
): Promise<PageRecord[]> {
  const settled = [...records];
  for (const [index, { api, outputPath }] of staging ? site.pages.entries() : []) {
    if (api?.kind !== "model" && api?.kind !== "schema") continue;
    const path = modelScriptPath(outputPath);
    const record = records[index]!;
    const others = record.files.filter((file) => file.path !== path);
    const isWritten = others.length < record.files.length;
    if (isWritten === opened.has(outputPath)) continue;
    await setImmediate();
    if (isWritten) staging!.remove(path);
    const content = isWritten ? undefined : modelScript(readFileSync(staging!.placeOf(outputPath), "utf8"));
    const script = content === undefined ? undefined : write(path, content);
    settled[index] = { ...record, files: script ? [...others, script] : others };
    store?.setFile(outputPath, path, script);
  }
  return settled;
}

export type RepairedPages = Awaited<ReturnType<typeof repairSiteLinks>>;

/** Reports redirects to files that this bundle lacks, such as the sitemap. Returns the anchors that redirects point to. */
function checkRedirects(
  { redirectTargets, files, outputs }: BegunBundle,
  records: readonly PageRecord[],
): { readonly anchorsWanted: readonly AnchorWanted[]; readonly diagnostics: readonly Diagnostic[] } {
  const anchorsWanted: AnchorWanted[] = [];
  const diagnostics: Diagnostic[] = [];
  if (redirectTargets.length === 0) return { anchorsWanted, diagnostics };
  const bundled = new Set([...files, ...outputs, ...records.flatMap((record) => record.files)].map(({ path }) => path));
  for (const { rule, outputPath, suffix } of redirectTargets) {
    const { location } = rule.redirect;
    const fragment = targetOf(outputPath, suffix)?.fragment;
    if (!bundled.has(outputPath)) diagnostics.push(missingRedirectTarget(rule, `/${outputPath}`));
    else if (fragment && location) anchorsWanted.push({ outputPath, fragment, location, isRedirect: true });
  }
  return { anchorsWanted, diagnostics };
}

type PagesOfBundle = Pick<MadePages, "records" | "indexer" | "models"> & Partial<Pick<MadePages, "store">>;

/** Writes what needs all pages: sitemap, `llms.txt`, style sheets, search. Returns the files; none for a check. */
export async function writeOutputs(run: ExportRun, bundle: BegunBundle, pages: PagesOfBundle): Promise<BundleFile[]> {
  const { progress, timings, staging } = run;
  const { signal } = run.settings;
  progress("outputs", 0, 1);
  signal?.throwIfAborted();
  if (staging === undefined) return [];
  const outputs = await timings.measure("outputs", async () => [
    ...(await writeSiteOutputs(staging.folder, bundle, pages)),
    ...(await writeUsedStyles(bundle, pages)),
    ...(await writePrinted(staging, bundle, pages, signal)),
  ]);
  const search = await timings.measure("search", async () => (await pages.indexer?.finish(signal)) ?? []);
  signal?.throwIfAborted();
  return [...outputs, ...search];
}

async function writeSiteOutputs(
  folder: string,
  { outputs, write, files }: BegunBundle,
  { records, models, store }: PagesOfBundle,
): Promise<BundleFile[]> {
  const hashes = lazy(
    () => new Map([...files, ...records.flatMap((record) => record.files)].map(({ path, sha256 }) => [path, sha256])),
  );
  const streams = new Map<string, Promise<BundleFile>>();
  const written: BundleFile[] = [];
  try {
    for (const output of outputs) {
      const { path, copy, isOfPlan } = output;
      const begin = () => store?.parts.begin(path, (page) => hashes().get(page));
      /** The stored text of a file that depends only on the plan: one part. */
      const whole = isOfPlan ? begin() : undefined;
      const reused = whole?.find(store!.planKey);
      if (reused) {
        streams.set(path, writeBundleStream(folder, path, [reused]));
        whole?.keep(store!.planKey, reused.bytes);
        continue;
      }
      const { text } = output;
      if (typeof text === "function") {
        const original = await (copy && streams.get(copy.of));
        if (copy && original && original.bytes > copy.bytes) written.push(write(path, copy.instead));
        else streams.set(path, writeBundleStream(folder, path, text({ pieces: begin(), models })));
      } else {
        const file = write(path, text);
        whole?.keep(store!.planKey, file.bytes);
        written.push(file);
      }
    }
    await Promise.all(streams.values());
  } catch (error) {
    // Wait for all streams: the caller deletes the folder next.
    await Promise.allSettled(streams.values());
    throw error;
  }
  const all = [...written, ...(await Promise.all(streams.values()))];
  store?.parts.save(all);
  return all;
}

async function writePrinted(
  { folder, placeOf }: Staging,
  { site, assets, printed }: BegunBundle,
  { records }: PagesOfBundle,
  signal: AbortSignal | undefined,
): Promise<BundleFile[]> {
  const files: BundleFile[] = [];
  for (const section of printed) {
    const document = printedDocument(section, {
      site,
      assets,
      stylesheetsOf: (page) => records[page]!.stylesheets,
      readPage: (path) => readFile(placeOf(path), { encoding: "utf8", signal }),
    });
    files.push(await writeBundleStream(folder, section.outputPath, document));
  }
  return files;
}

function writeUsedStyles({ assets, scopes, printed, write }: BegunBundle, { records }: PagesOfBundle) {
  const used = new Set(records.flatMap((record) => record.stylesheets));
  const names = Object.entries(assets.parts).flatMap(([name, path]) => (used.has(path) ? [name] : []));
  if (scopes.length > 0) names.unshift("search");
  if (printed.length > 0) names.push("printed");
  names.push("not-found");
  return writeParts(names, (path, bytes) => void write(path, bytes));
}
