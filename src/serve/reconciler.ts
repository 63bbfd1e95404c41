import type { Log } from "../lib/log.js";
import { openBundleStore } from "./bundle-store.js";
import { type FetchOptions, fetchBundle } from "./fetch-bundle.js";
import { openBundle, type ServedBundle } from "./served-bundle.js";
import { type DesiredState, linkKey, readDesiredState, type Source } from "./source.js";
import { verifyFolder } from "./verify-bundle.js";

interface ReconcilerOptions extends FetchOptions {
  /** Where unpacked bundles are kept for the next start. */
  readonly dataFolder: string;
  /** Delay before the first retry, in milliseconds; doubled for each further one, up to five minutes. */
  readonly retryMs: number;
  readonly log: Log;
}

export interface ServerStatus {
  /** `starting`: there is nothing to serve yet. `disabled`: the values turn serving off. */
  readonly state: "starting" | "serving" | "disabled";
  readonly siteName?: string;
  readonly bundleId?: string;
  readonly version?: string;
  /** Why the desired bundle is not served. */
  readonly fault?: string;
}

const maxRetryMs = 5 * 60_000;

/** Replaces the served bundle with the desired one once that is verified. @throws {Error} without a folder. */
export function createReconciler(source: Source, options: ReconcilerOptions) {
  const { now, log } = options;
  const store = openBundleStore(options.dataFolder, now);
  let bundle: ServedBundle | undefined;
  let previous: ServedBundle | undefined;
  let version: string | undefined;
  let isDisabled = false;
  let fault: string | undefined;
  /** Key of the state that was reconciled last. */
  let done: string | undefined;
  let failed:
    | { readonly key: string; readonly count: number; readonly at: number; readonly waitMs: number }
    | undefined;

  const reconcile = async (desired: DesiredState, signal: AbortSignal): Promise<void> => {
    const { source: from } = desired;
    if (from.kind === "none") {
      if (bundle !== undefined || done === undefined)
        log("info", "Static export is disabled in the values: nothing is served.");
      [bundle, previous] = [undefined, undefined];
      return;
    }
    const fetched = await fetchBundle({ source: from, version: desired.version }, store, options, signal);
    const { bundleId, manifest, folder, fetchedAt } = fetched;
    const isNew = bundle?.bundleId !== bundleId || from.kind === "folder";
    if (isNew) {
      const next = await openBundle(folder, fetched, signal);
      // A replaced folder no longer has the files of the previous bundle.
      [bundle, previous] = [next, from.kind === "folder" ? undefined : bundle];
    }
    if (fetchedAt !== undefined) {
      store.makeCurrent({ bundleId, version: desired.version, linkId: desired.linkId, fetchedAt });
      store.prune();
    }
    const versionText = desired.version === undefined ? "" : `, version "${desired.version}"`;
    const contents = `${manifest.pageCount} pages, bundle ${bundleId.slice(0, 12)}`;
    if (isNew) log("info", `Serving "${manifest.siteName}"${versionText}: ${contents}.`);
  };

  return {
    bundle: () => bundle,
    /** The bundle that was served before, if its files still exist. */
    previous: () => previous,
    status: (): ServerStatus => ({
      state: isDisabled ? "disabled" : bundle === undefined ? "starting" : "serving",
      siteName: bundle?.manifest.siteName,
      bundleId: bundle?.bundleId,
      version,
      fault,
    }),
    /** Serves the bundle of an earlier run, if it is intact. Stops as `update` does. */
    async resume(signal: AbortSignal): Promise<void> {
      const record = source.kind === "folder" || isTurnedOff(source) ? undefined : store.current();
      if (record === undefined) return;
      try {
        bundle = await openBundle(record.folder, await verifyFolder(record.folder, options.limits, signal), signal);
        version = record.version;
        log("info", `Serving "${bundle.manifest.siteName}" fetched at ${record.fetchedAt}.`);
      } catch (error) {
        signal.throwIfAborted();
        store.remove(record.bundleId);
        log("warn", `The bundle of an earlier run is not served: ${messageOf(error)}`);
      }
    },
    /**
     * Reads the desired state and fetches its bundle, unless that is already served or a retry is not due yet; `force`
     * skips both checks. Must not be called again before it has ended.
     *
     * Fails: never. The last good bundle stays in use; `status` and `log` give the reason.
     * Stops: once `signal` aborts, rejects with its reason.
     */
    async update(signal: AbortSignal, force = false): Promise<void> {
      let key = "";
      try {
        const desired = readDesiredState(source);
        key = desired.key;
        isDisabled = desired.source.kind === "none";
        if (!force && (key === done || (key === failed?.key && Math.abs(now() - failed.at) < failed.waitMs))) return;
        await reconcile(desired, signal);
        [done, version, failed, fault] = [key, desired.version, undefined, undefined];
      } catch (error) {
        signal.throwIfAborted();
        const text = messageOf(error);
        if (text !== fault) log("warn", bundle === undefined ? text : `${text} The last good bundle stays in use.`);
        fault = text;
        const count = key === failed?.key ? failed.count + 1 : 1;
        failed = { key, count, at: now(), waitMs: Math.min(maxRetryMs, options.retryMs * 2 ** (count - 1)) };
        // The link has expired, but its bundle is already served.
        const current = store.current();
        if (current && linkKey(current) === key && current.bundleId === bundle?.bundleId) done = key;
      }
    },
  };
}

function isTurnedOff(source: Source): boolean {
  try {
    return readDesiredState(source).source.kind === "none";
  } catch {
    return false; // `update` reports it; until then the last good bundle is served
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
