import type { Log } from "../lib/log.js";
import { type ObtainOptions, obtainBundle } from "./obtain-bundle.js";
import { openBundle, type ServedBundle } from "./served-bundle.js";
import { openShelf } from "./shelf.js";
import type { Source } from "./source.js";
import { verifyFolder } from "./verify-folder.js";
import { keyOf, readWish, type Wish } from "./wish.js";

export interface DeploymentOptions extends ObtainOptions {
  /** Where unpacked bundles are kept, also for the next start. */
  readonly dataFolder: string;
  /** Before the second try of what failed, in milliseconds; doubled for each one after, up to five minutes. */
  readonly retryMs: number;
  readonly log: Log;
}

export interface DeploymentStatus {
  /** `starting`: there is nothing to serve yet. `disabled`: the values say so. */
  readonly state: "starting" | "serving" | "disabled";
  readonly siteName?: string;
  readonly bundleId?: string;
  readonly version?: string;
  /** Why what is served is not what is wanted. */
  readonly fault?: string;
}

/** Which bundle is served, and how the next one takes its place: verified, in one step, or not at all. */
export interface Deployment {
  status(): DeploymentStatus;
  bundle(): ServedBundle | undefined;
  /** The one before it, if its files still stand. */
  previous(): ServedBundle | undefined;
  /** Serves what an earlier run left in the data folder, if it is whole. Stops as `update` does. */
  resume(signal: AbortSignal): Promise<void>;
  /**
   * Sees what is wanted, and brings it about if that is not done yet; with `anew` also if it is. What failed is left
   * alone until its time has come. Not to be called again before it has ended.
   *
   * Fails: never; the last good bundle is served on, and `status` and `log` say why.
   * Stops: once `signal` aborts, rejects with its reason.
   */
  update(signal: AbortSignal, anew?: boolean): Promise<void>;
}

const longestRetryMs = 5 * 60_000;

/** @throws {Error} of the file system, if the data folder cannot be made. */
export function createDeployment(source: Source, options: DeploymentOptions): Deployment {
  const { now, log } = options;
  const shelf = openShelf(options.dataFolder, now);
  let bundle: ServedBundle | undefined;
  let previous: ServedBundle | undefined;
  let version: string | undefined;
  let isDisabled = false;
  let fault: string | undefined;
  /** `key` of the wish that has come about. */
  let done: string | undefined;
  let failed: { readonly key: string; readonly count: number; readonly retryAt: number } | undefined;

  const bringAbout = async (wish: Wish, signal: AbortSignal): Promise<void> => {
    const { source: from } = wish;
    if (from.kind === "none") {
      if (bundle !== undefined || done === undefined)
        log("info", "The values turn static export off: nothing is served.");
      [bundle, previous] = [undefined, undefined];
      return;
    }
    const obtained = await obtainBundle({ source: from, version: wish.version }, shelf, options, signal);
    const { bundleId, manifest, folder, fetchedAt } = obtained;
    const isNew = bundle?.bundleId !== bundleId || from.kind === "folder";
    if (isNew) {
      const next = await openBundle(folder, obtained, signal);
      // A folder that was replaced holds nothing of the bundle before.
      [bundle, previous] = [next, from.kind === "folder" ? undefined : bundle];
    }
    if (fetchedAt !== undefined) {
      shelf.makeCurrent({ bundleId, version: wish.version, linkId: wish.linkId, fetchedAt });
      shelf.tidy();
    }
    const named = wish.version === undefined ? "" : `, version "${wish.version}"`;
    if (isNew)
      log(
        "info",
        `Serving "${manifest.siteName}"${named}: ${manifest.pageCount} pages, bundle ${bundleId.slice(0, 12)}.`,
      );
  };

  return {
    bundle: () => bundle,
    previous: () => previous,
    status: () => ({
      state: isDisabled ? "disabled" : bundle === undefined ? "starting" : "serving",
      siteName: bundle?.manifest.siteName,
      bundleId: bundle?.bundleId,
      version,
      fault,
    }),
    async resume(signal) {
      const record = source.kind === "folder" || isTurnedOff(source) ? undefined : shelf.current();
      if (record === undefined) return;
      try {
        bundle = await openBundle(record.folder, await verifyFolder(record.folder, options.limits, signal), signal);
        version = record.version;
        log("info", `Serving "${bundle.manifest.siteName}" as it was fetched at ${record.fetchedAt}.`);
      } catch (error) {
        signal.throwIfAborted();
        shelf.remove(record.bundleId);
        log("warn", `What an earlier run left is not served: ${messageOf(error)}`);
      }
    },
    async update(signal, anew = false) {
      let key = "";
      try {
        const wish = readWish(source);
        key = wish.key;
        isDisabled = wish.source.kind === "none";
        if (!anew && (key === done || (key === failed?.key && now() < failed.retryAt))) return;
        await bringAbout(wish, signal);
        [done, version, failed, fault] = [key, wish.version, undefined, undefined];
      } catch (error) {
        signal.throwIfAborted();
        const text = messageOf(error);
        if (text !== fault) log("warn", bundle === undefined ? text : `${text} The last good bundle is served on.`);
        fault = text;
        const count = key === failed?.key ? failed.count + 1 : 1;
        failed = { key, count, retryAt: now() + Math.min(longestRetryMs, options.retryMs * 2 ** (count - 1)) };
        // A link that was good once has only expired: what it led to is what is served.
        const current = shelf.current();
        if (current && keyOf(current) === key && current.bundleId === bundle?.bundleId) done = key;
      }
    },
  };
}

function isTurnedOff(source: Source): boolean {
  try {
    return readWish(source).source.kind === "none";
  } catch {
    return false; // said by the update that follows; until then the last good bundle is served
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
