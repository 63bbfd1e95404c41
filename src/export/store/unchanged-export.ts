import { createHash, hash } from "node:crypto";
import { markUsed } from "../../lib/cache/index.js";
import { lazy } from "../../lib/memo.js";
import { buildId } from "../../lib/package-root.js";
import { fileHash } from "../../lib/short-hash.js";
import type { ExportOptions, ExportResult, ExportSuccess } from "../export-options.js";
import type { OpenedRun } from "../run/open-run.js";
import { openOutputRecord } from "./output-record.js";
import { isOfMachine, storeFolderOf } from "./page-index.js";
import { ignoreFile, type Source, stateLength, stateOf } from "./source-files.js";

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
    "ok" | "files" | "timings" | "pageMs" | "unchanged" | "pagesMade" | "threads" | keyof ExportLists
  >;
}

/** The part that grows with the site. Few callers need it, so it is on a second line, which is read only for them. */
type ExportLists = Required<Pick<ExportSuccess, (typeof listNames)[number]>>;
const listNames = ["manifest", "inputs", "inputFolders"] as const;

/** Options that do not change the bundle, or have a part of the key of their own. Any other option counts, a new one included. */
const withoutEffect = new Set<string>([
  ...(["source", "output", "archive", "cacheFolder", "cacheName", "remoteCache"] as const),
  ...(["concurrency", "pageTimeoutMs", "verify", "onProgress", "signal"] as const),
] satisfies readonly (keyof ExportOptions)[]);

/** Detects that site, settings, program and bundle are unchanged. Undefined for a run that leaves no record. */
export function openUnchangedExport(run: OpenedRun, source: Source) {
  const { cache, staging, settings } = run;
  const { root, paths, diagnostics } = source;
  if (cache === undefined || staging === undefined || run.inMemory || run.isForOther) return undefined;
  const options = Object.entries(settings).filter(([name, value]) => value !== undefined && !withoutEffect.has(name));
  const places = { root, output: staging.target, archive: staging.archive };
  const key = hash("sha256", JSON.stringify([buildId(), process.versions.node, places, options]), "hex");

  const readInputs = () => {
    const states = [...paths, ignoreFile].map(source.stateOf);
    const values = new Float64Array(states.length * stateLength).fill(-1);
    states.forEach((state, index) => {
      values.set(state.values, index * stateLength);
    });
    const inputs = createHash("sha256")
      .update(JSON.stringify([paths, diagnostics]))
      .update(values);
    return { hash: inputs.digest("hex"), areSettled: states.every((state) => state.isSettled) };
  };
  const archiveState = (): string => (staging.archive === undefined ? "" : stateOf(staging.archive).text);

  const put = (record: ExportRecord, lists: string): void =>
    cache.put(key, Buffer.from(`${JSON.stringify(record)}\n${lists}`));

  return {
    /** The result of the earlier export, if nothing has changed. */
    find(): ExportSuccess | undefined {
      const stored = cache.get(key);
      if (stored === undefined) return undefined;
      const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
      const lineEnd = bytes.indexOf(10);
      const { result, ...record } = JSON.parse(bytes.toString("utf8", 0, lineEnd)) as ExportRecord;
      const listText = () => bytes.toString("utf8", lineEnd + 1);
      const isAsRead = record.inputs === readInputs().hash;
      const areCopies = !isAsRead && source.recognize();
      if (!isAsRead && record.inputs !== readInputs().hash) return undefined;
      const { archive } = result;
      const isSameArchive = record.archive === archiveState();
      if (!isSameArchive && fileHash(staging.archive!)?.toString("hex") !== archive?.sha256) return undefined;
      const folder = storeFolderOf(settings.cacheFolder!, settings.cacheName ?? root);
      const output = openOutputRecord(folder, staging, settings.verify);
      if (output && (output.id !== record.output || !output.isWhole())) return undefined;
      output?.keepCopies();
      if (areCopies) source.keepStates();
      if (!isSameArchive) put({ ...record, archive: archiveState(), result }, listText());
      markUsed(folder);
      run.progress("archive", 1, 1);
      const lists = lazy(() => JSON.parse(listText()) as ExportLists);
      const getters = listNames.map((name) => [name, { enumerable: true, get: () => lists()[name] }] as const);
      const found: Omit<ExportSuccess, keyof ExportLists> = {
        ...{ ok: true, unchanged: true },
        ...result,
        ...run.timings.all(),
      };
      return Object.defineProperties(found, Object.fromEntries(getters)) as ExportSuccess;
    },
    /** Call it once the bundle is in place, if no network was used. @param output its record, or empty. */
    save(exported: ExportResult, output: string): void {
      const { ok, timings: _, pageMs: __, pagesMade: ___, threads: ____, ...rest } = exported;
      const { manifest, inputs, inputFolders, ...result } = rest;
      const { hash, areSettled } = readInputs();
      if (!ok || !manifest || !areSettled || result.diagnostics.some(isOfMachine)) return;
      const record: ExportRecord = { inputs: hash, archive: archiveState(), output, result };
      put(record, JSON.stringify({ manifest, inputs, inputFolders } satisfies ExportLists));
    },
  };
}
