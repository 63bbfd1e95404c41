import { hash } from "node:crypto";
import { readdirSync } from "node:fs";
import { type Manifest, manifestName } from "../../bundle/archive/index.js";
import { markUsed } from "../../lib/cache/index.js";
import { buildId } from "../../lib/package-root.js";
import type { ExportOptions, ExportResult, ExportSuccess } from "../export-options.js";
import type { OpenedRun } from "../run/open-run.js";
import { isOfMachine, storeFolderOf } from "./page-index.js";
import type { OutputStates } from "./previous-output.js";
import { identityOf, ownStats, type Source, stateOf } from "./source-files.js";

/** What an export leaves for the next one of the same site with the same settings. */
interface ExportRecord {
  /** Hashes of the states of the site's files, and of the bundle and its archive. */
  readonly inputs: string;
  readonly outputs: string;
  /** As in `OutputStates`. */
  readonly settledMs: number;
  readonly result: Omit<ExportSuccess, "ok" | "files" | "timings" | "pageMs" | "unchanged" | "pagesMade"> & {
    readonly manifest: Manifest;
  };
}

/** Options that do not change the bundle, or are in the key by themselves. Every other one counts, also a new one. */
const withoutEffect = new Set<string>([
  ...(["source", "output", "archive", "cacheFolder", "cacheName", "remoteCache"] as const),
  ...(["concurrency", "pageTimeoutMs", "onProgress", "signal"] as const),
] satisfies readonly (keyof ExportOptions)[]);

/**
 * Recognizes a site of which nothing has changed since its last export: neither its files and settings, nor this program,
 * nor a file of the bundle. Undefined for a run that leaves no record: without a cache, in memory, of a check, or for
 * another process.
 */
export function openUnchangedExport(run: OpenedRun, { root, paths, diagnostics, stateOf: stateOfSource }: Source) {
  const { cache, staging, settings } = run;
  if (cache === undefined || staging === undefined || run.inMemory || run.isForOther) return undefined;
  const options = Object.entries(settings).filter(([name, value]) => value !== undefined && !withoutEffect.has(name));
  const places = { root, output: staging.target, archive: staging.archive };
  const key = hash("sha256", JSON.stringify([buildId(), process.versions.node, places, options]), "hex");

  const states = [...paths, ".mintignore"].map(stateOfSource);
  const inputs = hash("sha256", JSON.stringify([paths, diagnostics, states.map(({ text }) => text)]), "hex");
  const isSettled = states.every((state) => state.isSettled);
  /** @param lines an identity for each file; only the name of a folder */
  const outputsHash = (lines: readonly string[]): string => {
    const archive = staging.archive === undefined ? "" : stateOf(staging.archive).text;
    return hash("sha256", [archive, ...lines.toSorted()].join("\n"), "hex");
  };

  return {
    /** The result of the earlier export, if this one would have the same. */
    find(): ExportSuccess | undefined {
      const stored = cache.get(key);
      if (stored === undefined) return undefined;
      const { result, ...record } = JSON.parse(Buffer.from(stored).toString()) as ExportRecord;
      if (record.inputs !== inputs) return undefined;
      const { lines, lastMs } = folderStates(staging.target);
      if (record.outputs !== outputsHash(lines) || !(lastMs <= record.settledMs)) return undefined;
      if (settings.cacheFolder) markUsed(storeFolderOf(settings.cacheFolder, settings.cacheName ?? root));
      run.progress("archive", 1, 1);
      return { ok: true, ...result, unchanged: true, ...run.timings.all() };
    },
    /**
     * Call it once the bundle is in its place, unless the run has asked the network.
     *
     * @param states of its files; absent without an output folder
     */
    save(exported: ExportResult, states: OutputStates | undefined): void {
      const { ok, timings: _, pageMs: __, pagesMade: ___, manifest, ...result } = exported;
      if (!ok || !manifest || !isSettled || result.diagnostics.some(isOfMachine)) return;
      const { target } = staging;
      const lines = target === undefined || !states ? [] : statesAsLines(target, manifest, states);
      const outputs = outputsHash(lines);
      const record: ExportRecord = {
        inputs,
        outputs,
        settledMs: states?.settledMs ?? 0,
        result: { ...result, manifest },
      };
      cache.put(key, Buffer.from(JSON.stringify(record)));
    },
  };
}

/** What is in a folder now, and when something in it changed last. */
function folderStates(target: string | undefined) {
  const lines: string[] = [];
  let lastMs = 0;
  const add = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = `${prefix}${entry.name}`;
      if (entry.isDirectory()) {
        lines.push(`${path}/`);
        add(`${folder}/${entry.name}`, `${path}/`);
        continue;
      }
      const stats = ownStats(`${folder}/${entry.name}`);
      if (!stats) continue;
      lastMs = Math.max(lastMs, stats.ctimeMs);
      lines.push(`${path} ${identityOf(stats)}`);
    }
  };
  if (target !== undefined && ownStats(target)) add(target, "");
  return { lines, lastMs };
}

/** The same without looking at each file once more. */
function statesAsLines(target: string, { files }: Manifest, { identities }: OutputStates): string[] {
  const folders = new Set<string>();
  const lines: string[] = [];
  const add = (path: string, identity: string): void => {
    lines.push(`${path} ${identity}`);
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  };
  for (const { path } of files) add(path, identities.get(path) ?? "");
  const manifest = ownStats(`${target}/${manifestName}`);
  if (manifest) add(manifestName, identityOf(manifest));
  return [...lines, ...folders];
}
