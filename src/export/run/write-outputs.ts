import { readFile } from "node:fs/promises";
import { type BundleFile, type Staging, writeBundleStream } from "../../bundle/archive/index.js";
import { writeParts } from "../../bundle/assets/index.js";
import { printedDocument } from "../../bundle/outputs/index.js";
import { lazy } from "../../lib/memo.js";
import type { BegunBundle } from "./begin-bundle.js";
import type { MadePages } from "./make-pages.js";
import type { ExportRun } from "./start-run.js";

type PagesOfBundle = Pick<MadePages, "records" | "indexer" | "models"> & Partial<Pick<MadePages, "store">>;

/**
 * Writes what can be written only after all pages: sitemap, `llms.txt` and the like, the style sheets that some page uses,
 * the search index. Gives the files written; none if the site is only checked.
 */
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
    for (const file of outputs) {
      const { path } = file;
      const begin = () => store?.pieces.begin(path, (page) => hashes().get(page));
      const kept = file.isOfPlan ? begin() : undefined;
      const known = kept?.find(store!.planKey);
      if (known) {
        streams.set(path, writeBundleStream(folder, path, [known]));
        kept?.keep(store!.planKey, known.bytes);
        continue;
      }
      const { text, copy } = file;
      if (typeof text === "function") {
        const original = await (copy && streams.get(copy.of));
        if (copy && original && original.bytes > copy.bytes) written.push(write(path, copy.instead));
        else streams.set(path, writeBundleStream(folder, path, text({ pieces: begin(), models })));
      } else {
        const made = write(path, text);
        kept?.keep(store!.planKey, made.bytes);
        written.push(made);
      }
    }
    await Promise.all(streams.values());
  } catch (error) {
    // The caller removes the folder: no stream may write into it after that.
    await Promise.allSettled(streams.values());
    throw error;
  }
  const all = [...written, ...(await Promise.all(streams.values()))];
  store?.pieces.save(all);
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
