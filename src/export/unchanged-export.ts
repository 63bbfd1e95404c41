import { createHash, hash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../bundle/archive/index.js";
import { markUsed } from "../lib/cache/index.js";
import { buildId } from "../lib/package-root.js";
import type { OpenedFolder } from "../site/source/index.js";
import type { ExportOptions } from "./export-options.js";
import type { ExportResult, ExportSuccess } from "./export-result.js";
import { stateOf } from "./file-state.js";
import { isOfMachine } from "./machine-results.js";
import type { ExportRun } from "./start-run.js";
import { storeFolderOf } from "./store-folder.js";

/** What an export tells the next one of the same site with the same settings. */
interface ExportRecord {
  /** Hashes of what `stat` says about the site's files, and about the bundle and its archive. */
  readonly inputs: string;
  readonly outputs: string;
  readonly result: Omit<ExportSuccess, "ok" | "files" | "timings" | "pageMs" | "unchanged" | "pagesMade"> & {
    readonly manifest: Manifest;
  };
}

/** Options that do not change the bundle, or are in the key by themselves. Every other one counts, a new one too. */
const withoutEffect = new Set<string>([
  ...(["source", "output", "archive", "cacheFolder", "cacheName", "remoteCache"] as const),
  ...(["concurrency", "pageTimeoutMs", "onProgress", "signal"] as const),
] satisfies readonly (keyof ExportOptions)[]);
/**
 * Recognizes a site of which nothing has changed since its last export: neither its files and settings, nor this program,
 * nor a file of the bundle. Undefined for a run that leaves no record: without a cache, in memory, of a check, or for
 * another process.
 *
 * A file counts as unchanged if its size, inode, time of content and time of state are, as in the index of git.
 */
export function unchangedExport(run: ExportRun, { files, diagnostics }: OpenedFolder) {
  const { cache, staging, settings } = run;
  if (cache === undefined || staging === undefined || run.inMemory || run.isForOther) return undefined;
  const { root } = files;
  const asked = Object.entries(settings).filter(([name]) => !withoutEffect.has(name));
  const places = { root, output: staging.target, archive: staging.archive };
  const key = hash("sha256", JSON.stringify([buildId(), process.versions.node, places, asked]), "hex");

  const states = [...files.paths, ".mintignore"].map((path) => stateOf(join(root, path)));
  const inputs = hash("sha256", JSON.stringify([files.paths, diagnostics, states.map(({ text }) => text)]), "hex");
  const isSettled = states.every((state) => state.isSettled);
  const outputs = (): string => {
    const found = createHash("sha256").update(staging.archive === undefined ? "" : stateOf(staging.archive).text);
    if (staging.target !== undefined && existsSync(staging.target)) addFolder(found, staging.target);
    return found.digest("hex");
  };

  return {
    /** The result of the earlier export, if it would be that of this one. */
    find(): ExportSuccess | undefined {
      const stored = cache.get(key);
      if (stored === undefined) return undefined;
      const { result, ...record } = JSON.parse(Buffer.from(stored).toString()) as ExportRecord;
      if (record.inputs !== inputs || record.outputs !== outputs()) return undefined;
      if (settings.cacheFolder) markUsed(storeFolderOf(settings.cacheFolder, settings.cacheName ?? root));
      run.progress("archive", 1, 1);
      return { ok: true, ...result, unchanged: true, ...run.timings.all() };
    },
    /** Call it once the bundle is in its place. */
    keep(exported: ExportResult): void {
      const { ok, timings: _, pageMs: __, pagesMade: ___, manifest, ...result } = exported;
      if (!ok || !manifest || !isSettled || result.diagnostics.some(isOfMachine) || run.hasAskedNetwork()) return;
      const record: ExportRecord = { inputs, outputs: outputs(), result: { ...result, manifest } };
      cache.put(key, Buffer.from(JSON.stringify(record)));
    },
  };
}

function addFolder(found: ReturnType<typeof createHash>, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    found.update(`${path}\n`);
    if (entry.isDirectory()) addFolder(found, path);
    else found.update(`${stateOf(path, false).text}\n`);
  }
}
