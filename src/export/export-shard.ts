import { randomBytes } from "node:crypto";
import { openStaging } from "../bundle/archive/index.js";
import { pruneCache } from "../lib/cache/index.js";
import { beginBundle } from "./begin-bundle.js";
import type { CheckOptions, ExportOptions } from "./export-options.js";
import type { SiteReport } from "./export-result.js";
import { pageThreads } from "./make-pages.js";
import type { OutsideWorld } from "./outside-world.js";
import { pagesByPart } from "./page-parts.js";
import { openPageStore } from "./page-store.js";
import { openSite, readSite } from "./read-site.js";
import { renderShard } from "./render-shard.js";
import { reportUnreadable } from "./report-site.js";
import { InvalidOption } from "./service-address.js";
import { startRun } from "./start-run.js";

/** One of `count` parts of a site's pages. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

export interface ShardOptions extends CheckOptions, Pick<ExportOptions, "print" | "assistant" | "analytics"> {
  readonly shard: Shard;
}

/** `ok` is false if the site could not be read or has no pages; `diagnostics` say why. */
export interface ShardResult extends Pick<SiteReport, "siteName" | "diagnostics" | "timings" | "pageMs"> {
  readonly ok: boolean;
  /** Pages of the whole site, and of the shard. */
  readonly pageCount: number;
  readonly shardPages: number;
  /** Pages that were not in the cache, and are now. The export of the site makes and reports those that failed. */
  readonly made: number;
}

/**
 * Makes the pages of one part of a site, and keeps them in `cacheFolder`. An export of the site that has the same cache and
 * the same other options takes them from there. Each page is in one part, the same on every machine. Stops as `exportSite`
 * does.
 *
 * @throws {InvalidOption} if `shard` is not one of its `count` parts, or `cacheFolder` cannot be written.
 */
export const exportShard = (options: ShardOptions): Promise<ShardResult> => runShard(options);

/** `exportShard`, step by step. */
export async function runShard(
  { shard, ...options }: ShardOptions,
  outside?: Partial<OutsideWorld>,
): Promise<ShardResult> {
  const cacheFolder = requireShard(shard, options.cacheFolder);
  const checked = await startRun(options, outside);
  const staging = await openStaging({});
  checked.onClose(() => staging.discard());
  const run = { ...checked, staging };
  const { progress, timings } = run;
  try {
    const loaded = await readSite(run, openSite(run));
    const { site, files } = loaded;
    const none = { pageCount: 0, shardPages: 0, made: 0 };
    if (!site) {
      const { siteName, diagnostics } = reportUnreadable(loaded);
      return { ok: false, siteName, diagnostics, ...none, ...timings.all() };
    }
    const bundle = await beginBundle(run, site, files, []);
    const { data, ...threads } = pageThreads(run, bundle);
    const store = await timings.measure("read", () => openPageStore(run, { ...data, staging: undefined }, files));
    const pages = pagesByPart(site, shard.count).get(shard.index) ?? [];
    let made = 0;
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
    const name = `shard-${shard.index}-${shard.count}-${randomBytes(8).toString("hex")}`;
    if (!(await store!.savePartial(name)))
      throw new InvalidOption(`The cache ${cacheFolder} cannot be written, so the pages of the shard are lost`);
    await pruneCache(cacheFolder);
    progress("archive", 1, 1);
    const counts = { pageCount: site.pages.length, shardPages: pages.length, made };
    return { ok: true, siteName: site.config.name, diagnostics: [], ...counts, ...timings.all() };
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
