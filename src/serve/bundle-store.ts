import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf, valueOfJson } from "../lib/json/index.js";

interface BundleRecord {
  readonly bundleId: string;
  readonly version?: string;
  /** SHA-256 of the link it was fetched from. */
  readonly linkId: string;
  /** ISO 8601. */
  readonly fetchedAt: string;
}

interface StoredBundle extends BundleRecord {
  readonly folder: string;
}

export type BundleStore = ReturnType<typeof openBundleStore>;

/** Readers of an older bundle may still request its files. */
const maxStoredBundles = 3;
/** Much longer than a download may take. */
const incomingLifeMs = 6 * 60 * 60_000;

/**
 * The data folder of a server: unpacked bundles, and which of them is served.
 *
 * ```
 * bundles/<id>/        the files of a bundle, with its manifest
 * bundles/<id>.json    the record of where it came from
 * current              the record of the bundle that is served
 * incoming-<random>/   a download that is being unpacked
 * ```
 *
 * Writes are atomic: after a crash an entry is complete or missing. Several servers may share a folder.
 *
 * @throws {Error} of the file system, if the folder cannot be created or written.
 */
export function openBundleStore(folder: string, now: () => number) {
  const bundles = join(folder, "bundles");
  const currentFile = join(folder, "current");
  fs.mkdirSync(bundles, { recursive: true });
  const storedBundle = (record: BundleRecord | undefined): StoredBundle | undefined => {
    const path = record && join(bundles, record.bundleId);
    return path !== undefined && fs.existsSync(path) ? { ...record!, folder: path } : undefined;
  };
  const records = (): StoredBundle[] =>
    fs
      .readdirSync(bundles)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => storedBundle(readRecord(join(bundles, name))) ?? [])
      .sort((a, b) => (a.fetchedAt < b.fetchedAt ? 1 : -1));
  const remove = (bundleId: string): void => {
    fs.rmSync(join(bundles, `${bundleId}.json`), { force: true });
    fs.rmSync(join(bundles, bundleId), { recursive: true, force: true });
  };
  return {
    /** Creates a folder for a download. */
    openIncoming() {
      const path = fs.mkdtempSync(join(folder, "incoming-"));
      return { path, remove: () => rm(path, { recursive: true, force: true }) };
    },
    /** Moves an unpacked bundle into the store, unless it is already there. */
    add(unpacked: string, bundleId: string) {
      const path = join(bundles, bundleId);
      if (fs.existsSync(path)) return { folder: path, isNew: false };
      try {
        fs.renameSync(unpacked, path);
        return { folder: path, isNew: true };
      } catch (error) {
        // Another server on this folder may have been faster.
        if (!fs.existsSync(path)) throw error;
        return { folder: path, isNew: false };
      }
    },
    /** The bundle that was served last. */
    current: () => storedBundle(readRecord(currentFile)),
    ofVersion: (version: string) => records().find((record) => record.version === version),
    makeCurrent(record: BundleRecord): void {
      const text = `${JSON.stringify(record)}\n`;
      replaceFile(join(bundles, `${record.bundleId}.json`), text);
      replaceFile(currentFile, text);
    },
    /** For a damaged bundle. */
    remove,
    /** Removes old bundles, and the unfinished downloads of processes that were killed. */
    prune(): void {
      const current = readRecord(currentFile)?.bundleId;
      const others = records().filter(({ bundleId }) => bundleId !== current);
      for (const { bundleId } of others.slice(maxStoredBundles - 1)) remove(bundleId);
      const recorded = new Set([...records().map(({ bundleId }) => bundleId), current]);
      const unfinished = [
        ...fs.readdirSync(folder).filter((name) => name.startsWith("incoming-")),
        ...fs.readdirSync(bundles).flatMap((name) => (recorded.has(name.slice(0, 64)) ? [] : join("bundles", name))),
      ];
      for (const name of unfinished) {
        const stats = fs.statSync(join(folder, name), { throwIfNoEntry: false });
        if (stats && now() - stats.mtimeMs > incomingLifeMs)
          fs.rmSync(join(folder, name), { recursive: true, force: true });
      }
    },
  };
}

function readRecord(path: string): BundleRecord | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  // If the record is damaged, the bundle is fetched again.
  const { bundleId, version, linkId, fetchedAt } = fieldsOf(valueOfJson(text));
  if (typeof bundleId !== "string" || !/^[0-9a-f]{64}$/.test(bundleId)) return undefined;
  if (typeof linkId !== "string" || typeof fetchedAt !== "string") return undefined;
  return { bundleId, linkId, fetchedAt, version: typeof version === "string" ? version : undefined };
}

/** Atomic: readers get the old text or the new one. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}.draft`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, path);
}
