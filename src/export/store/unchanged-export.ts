import { hash } from "node:crypto";
import type { Manifest } from "../../bundle/archive/index.js";
import { markUsed } from "../../lib/cache/index.js";
import { buildId } from "../../lib/package-root.js";
import { fileHash } from "../../lib/short-hash.js";
import type { ExportOptions, ExportResult, ExportSuccess } from "../export-options.js";
import type { OpenedRun } from "../run/open-run.js";
import { openOutputRecord } from "./output-record.js";
import { isOfMachine, storeFolderOf } from "./page-index.js";
import { ignoreFile, type Source, stateOf } from "./source-files.js";

/** What an export leaves for the next one of the same site with the same settings. */
interface ExportRecord {
  /** Hash of the states of the site's files. */
  readonly inputs: string;
  /** State of the archive; empty if there is none. */
  readonly archive: string;
  /** Of the `OutputRecord`; empty without an output folder. */
  readonly output: string;
  readonly result: Omit<
    ExportSuccess,
    "ok" | "files" | "timings" | "pageMs" | "unchanged" | "pagesMade" | "threads"
  > & {
    readonly manifest: Manifest;
  };
}

/** Options that do not change the bundle, or are in the key by themselves. Every other one counts, also a new one. */
const withoutEffect = new Set<string>([
  ...(["source", "output", "archive", "cacheFolder", "cacheName", "remoteCache"] as const),
  ...(["concurrency", "pageTimeoutMs", "verify", "onProgress", "signal"] as const),
] satisfies readonly (keyof ExportOptions)[]);

/**
 * Recognizes a site of which nothing has changed since its last export: neither its files and settings, nor this program,
 * nor the bundle. Undefined for a run that leaves no record: without a cache, in memory, of a check, or for
 * another process.
 */
export function openUnchangedExport(run: OpenedRun, source: Source) {
  const { cache, staging, settings } = run;
  const { root, paths, diagnostics } = source;
  if (cache === undefined || staging === undefined || run.inMemory || run.isForOther) return undefined;
  const options = Object.entries(settings).filter(([name, value]) => value !== undefined && !withoutEffect.has(name));
  const places = { root, output: staging.target, archive: staging.archive };
  const key = hash("sha256", JSON.stringify([buildId(), process.versions.node, places, options]), "hex");

  const inputs = () => {
    const states = [...paths, ignoreFile].map(source.stateOf);
    const text = JSON.stringify([paths, diagnostics, states.map((state) => state.text)]);
    return { hash: hash("sha256", text, "hex"), areSettled: states.every((state) => state.isSettled) };
  };
  const archiveState = (): string => (staging.archive === undefined ? "" : stateOf(staging.archive).text);

  const put = (record: ExportRecord): void => cache.put(key, Buffer.from(JSON.stringify(record)));

  return {
    /** The result of the earlier export, if this one would have the same. */
    find(): ExportSuccess | undefined {
      const stored = cache.get(key);
      if (stored === undefined) return undefined;
      const { result, ...record } = JSON.parse(Buffer.from(stored).toString()) as ExportRecord;
      const areCopies = record.inputs !== inputs().hash && source.recognize();
      if (record.inputs !== inputs().hash) return undefined;
      const { archive } = result;
      const isSameArchive = record.archive === archiveState();
      if (!isSameArchive && fileHash(staging.archive!)?.toString("hex") !== archive?.sha256) return undefined;
      const folder = storeFolderOf(settings.cacheFolder!, settings.cacheName ?? root);
      const output = openOutputRecord(folder, staging, settings.verify);
      if (output && (output.id !== record.output || !output.isWhole())) return undefined;
      output?.keepCopies();
      if (areCopies) source.keepStates();
      if (!isSameArchive) put({ ...record, archive: archiveState(), result });
      markUsed(folder);
      run.progress("archive", 1, 1);
      return { ok: true, ...result, unchanged: true, ...run.timings.all() };
    },
    /**
     * Call it once the bundle is in its place, unless the run has asked the network.
     *
     * @param output the `id` of its record; empty without an output folder
     */
    save(exported: ExportResult, output: string): void {
      const { ok, timings: _, pageMs: __, pagesMade: ___, threads: ____, manifest, ...result } = exported;
      const { hash, areSettled } = inputs();
      if (!ok || !manifest || !areSettled || result.diagnostics.some(isOfMachine)) return;
      const record: ExportRecord = { inputs: hash, archive: archiveState(), output, result: { ...result, manifest } };
      put(record);
    },
  };
}
