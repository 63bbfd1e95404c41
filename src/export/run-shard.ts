import { randomBytes } from "node:crypto";
import { openStaging } from "../bundle/archive/index.js";
import { pruneCache } from "../lib/cache/index.js";
import { beginBundle } from "./begin-bundle.js";
import { watchSource, withSteadySource } from "./changing-source.js";
import { pageThreads } from "./make-pages.js";
import type { OutsideWorld } from "./outside-world.js";
import type { PageParts } from "./page-part.js";
import { pagesByPart } from "./page-parts.js";
import { openPageStore } from "./page-store.js";
import { openSite, readSite } from "./read-site.js";
import { renderShard } from "./render-shard.js";
import { reportUnreadable } from "./report-site.js";
import { InvalidOption } from "./service-address.js";
import type { Shard, ShardOptions, ShardResult } from "./shard-options.js";
import { startRun } from "./start-run.js";

/**
 * `exportShard`. If a file of the site vanishes while it is read, the run begins again with the part that it was at, and
 * reports the file.
 *
 * @param nextPart another part of as many, once one is made; the site is read once for all
 */
export function runShard(
  { shard, ...options }: ShardOptions,
  outside?: Partial<OutsideWorld>,
  nextPart?: PageParts["next"],
): Promise<ShardResult> {
  let current = shard;
  const next = async (): Promise<Shard | undefined> => {
    const part = await nextPart?.();
    if (part) current = { ...shard, index: part.index };
    return part && current;
  };
  return withSteadySource(options.source, () => makeParts({ ...options, shard: current }, outside, next));
}

/** Step by step. */
async function makeParts(
  { shard, ...options }: ShardOptions,
  outside: Partial<OutsideWorld> | undefined,
  nextPart: () => Promise<Shard | undefined>,
): Promise<ShardResult> {
  const cacheFolder = requireShard(shard, options.cacheFolder);
  const checked = await startRun(options, outside);
  const staging = await openStaging({});
  checked.onClose(() => staging.discard());
  const run = { ...checked, staging };
  const { progress, timings } = run;
  const opened = openSite(run);
  const { root, paths } = opened.files;
  const { requireUnchanged } = watchSource(root, paths);
  try {
    const loaded = await readSite(run, opened);
    const { site, files } = loaded;
    const none = { pageCount: 0, shardPages: 0, made: 0 };
    if (!site) {
      requireUnchanged(files.allReads());
      const { siteName, diagnostics } = reportUnreadable(loaded);
      return { ok: false, siteName, diagnostics, ...none, ...timings.all() };
    }
    const bundle = await beginBundle(run, site, files, []);
    const { data, ...threads } = pageThreads(run, bundle);
    const store = await timings.measure("read", () => openPageStore(run, { ...data, staging: undefined }, files));
    const parts = pagesByPart(site, shard.count);
    let [made, shardPages] = [0, 0];
    let { index } = shard;
    for (;;) {
      const pages = parts.get(index) ?? [];
      await timings.measure("pages", () =>
        renderShard({
          ...threads,
          data: store!.data,
          store: store!,
          pages,
          onPage(done, result) {
            if (result?.kept) made++;
            if (result) timings.addPage(result.timings);
            progress("pages", done, pages.length);
          },
        }),
      );
      shardPages += pages.length;
      const name = `shard-${index}-${shard.count}-${randomBytes(8).toString("hex")}`;
      if (!(await store!.savePartial(name)))
        throw new InvalidOption(`The cache ${cacheFolder} cannot be written, so the pages of the shard are lost`);
      const next = await nextPart();
      if (!next) break;
      index = next.index;
    }
    await pruneCache(cacheFolder);
    progress("archive", 1, 1);
    const counts = { pageCount: site.pages.length, shardPages, made };
    return { ok: true, siteName: site.config.name, diagnostics: [], ...counts, ...timings.all() };
  } catch (error) {
    if (!run.settings.signal?.aborted) requireUnchanged(paths, error);
    throw error;
  } finally {
    await run.close();
  }
}

const mostShards = 10_000;

function requireShard({ index, count }: Shard, cacheFolder: string | undefined): string {
  if (!Number.isInteger(count) || count < 1 || count > mostShards)
    throw new InvalidOption(`shard.count is ${count}; it must be a whole number from 1 to ${mostShards}`);
  if (!Number.isInteger(index) || index < 1 || index > count)
    throw new InvalidOption(`shard.index is ${index}; it must be a whole number from 1 to ${count}`);
  if (cacheFolder === undefined) throw new InvalidOption("A shard needs cacheFolder: its pages are kept there");
  return cacheFolder;
}
