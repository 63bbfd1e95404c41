import { randomBytes } from "node:crypto";
import { pruneCache } from "../../lib/cache/index.js";
import { InvalidOption, type Shard, type ShardOptions, type ShardResult } from "../export-options.js";
import { renderBodies } from "../pages/render-pages.js";
import { openPageStore } from "../store/page-store.js";
import { openSource, type Source } from "../store/source-files.js";
import { beginBundle } from "./begin-bundle.js";
import { retryWhileChanging } from "./changing-source.js";
import { pagesByPart, pageThreads } from "./make-pages.js";
import { readSite } from "./read-site.js";
import { reportUnreadable } from "./report-site.js";
import { type ExportEnvironment, type PageParts, startRun } from "./start-run.js";

/**
 * Makes the pages of one part of a site, and stores them in `cacheFolder`. An export of the site that has the same cache and
 * the same other options takes them from there. Each page is in one part, the same on every machine. Stops as `exportSite`
 * does.
 *
 * @throws {InvalidOption} if `shard` is not one of its `count` parts, or `cacheFolder` cannot be written.
 */
export const exportShard = (options: ShardOptions): Promise<ShardResult> => runShard(options);

/**
 * Implements `exportShard`. If a file of the site vanishes while it is read, the run makes the current part again, and
 * reports the file.
 *
 * @param nextPart returns the next part to make, of the same `count`; the site is read once for all parts
 */
export function runShard(
  { shard, ...options }: ShardOptions,
  environment?: Partial<ExportEnvironment>,
  nextPart?: PageParts["next"],
): Promise<ShardResult> {
  let { index } = shard;
  const next = async (): Promise<boolean> => {
    const part = await nextPart?.();
    if (part) index = part.index;
    return part !== undefined;
  };
  return retryWhileChanging(() => makeParts(options, { shard: () => ({ ...shard, index }), next }, environment));
}

/** The parts that one run makes, one after the other. */
interface Parts {
  /** The part to make now. */
  shard(): Shard;
  /** False after the last part. */
  next(): Promise<boolean>;
}

async function makeParts(
  options: Omit<ShardOptions, "shard">,
  { shard, next }: Parts,
  environment: Partial<ExportEnvironment> | undefined,
): Promise<ShardResult> {
  const { count } = requireShard(shard());
  const { cacheFolder } = options;
  if (cacheFolder === undefined) throw new InvalidOption("A shard needs cacheFolder: its pages are stored there");
  const run = await startRun({ ...options, output: "memory" }, environment);
  const { progress, timings } = run;
  let source: Source | undefined;
  try {
    source = openSource(run);
    source.noteStates();
    const loaded = await readSite(run, source);
    const { site, files } = loaded;
    if (!site) {
      source.requireUnchanged(files.allReads());
      const { siteName, diagnostics } = reportUnreadable(loaded);
      return { ok: false, siteName, diagnostics, pageCount: 0, shardPages: 0, made: 0, ...timings.all() };
    }
    const bundle = await beginBundle(run, site, files, { copiesFiles: false });
    const { data, ...threads } = pageThreads(run, bundle);
    run.onClose(() => threads.islands.close());
    const store = await timings.measure("read", () => openPageStore(run, { ...data, staging: undefined }, files));
    const parts = pagesByPart(site, count);
    let [made, shardPages, partPages] = [0, 0, 0];
    const partsInTurn = async function* () {
      do {
        const { index } = shard();
        const pages = parts.get(index) ?? [];
        partPages = pages.length;
        yield pages;
        shardPages += pages.length;
        const name = `shard-${index}-${count}-${randomBytes(8).toString("hex")}`;
        if (!(await store!.savePartial(name)))
          throw new InvalidOption(`The cache ${cacheFolder} cannot be written to, so the pages of the shard are lost`);
      } while (await next());
    };
    await timings.measure("pages", () =>
      renderBodies({
        ...threads,
        data: store!.data,
        store: store!,
        parts: partsInTurn(),
        onPage(done, result) {
          if (result?.toStore) made++;
          if (result) timings.addPage(result.timings);
          progress("pages", done, partPages);
        },
      }),
    );
    await pruneCache(cacheFolder);
    progress("archive", 1, 1);
    const counts = { pageCount: site.pages.length, shardPages, made };
    return { ok: true, siteName: site.config.name, diagnostics: [], ...counts, ...timings.all() };
  } catch (error) {
    if (!options.signal?.aborted) source?.requireUnchanged(source.paths, error);
    throw error;
  } finally {
    await run.close();
  }
}

const maxShards = 10_000;

function requireShard({ index, count }: Shard): Shard {
  if (!Number.isInteger(count) || count < 1 || count > maxShards)
    throw new InvalidOption(`shard.count is ${count}; it must be a whole number from 1 to ${maxShards}`);
  if (!Number.isInteger(index) || index < 1 || index > count)
    throw new InvalidOption(`shard.index is ${index}; it must be a whole number from 1 to ${count}`);
  return { index, count };
}
