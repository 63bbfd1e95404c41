import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "./refusal.js";

/**
 * The data folder of a deployment: unpacked bundles beside each other, and which of them is served.
 *
 * ```
 * bundles/<id>/        the files of a bundle, its manifest among them
 * bundles/<id>.json    where it came from
 * current              the same, of the one that is served
 * incoming-<random>/   what is being fetched and unpacked
 * ```
 *
 * Whatever is killed when: an entry is whole or not there. Several deployments may share a folder.
 */
export interface Shelf {
  /** A folder for what is being fetched. */
  openIncoming(): { readonly path: string; remove(): Promise<void> };
  /** Puts an unpacked bundle in its place, unless one stands there already. */
  place(unpacked: string, bundleId: string): { readonly folder: string; readonly isNew: boolean };
  /** What was made current last. */
  current(): Shelved | undefined;
  /** The bundle that was fetched as that version. */
  ofVersion(version: string): Shelved | undefined;
  makeCurrent(record: ShelfRecord): void;
  /** A bundle that is not what it should be any more. */
  remove(bundleId: string): void;
  /** Removes all bundles but the latest ones, and what killed processes left. */
  tidy(): void;
}

export interface ShelfRecord {
  readonly bundleId: string;
  readonly version?: string;
  /** SHA-256 of the link it was fetched from: enough to know the link by, and nothing to fetch with. */
  readonly linkId: string;
  /** ISO 8601. */
  readonly fetchedAt: string;
}

export interface Shelved extends ShelfRecord {
  readonly folder: string;
}

/** Whoever opened a page of the bundle before the last switch may still ask for its files. */
const keptBundles = 3;
/** Far longer than a download may take. */
const incomingLifeMs = 6 * 60 * 60_000;

/** @throws {Error} of the file system, if the folder cannot be made or written. */
export function openShelf(folder: string, now: () => number): Shelf {
  const bundles = join(folder, "bundles");
  const currentFile = join(folder, "current");
  mkdirSync(bundles, { recursive: true });
  const shelved = (record: ShelfRecord | undefined): Shelved | undefined => {
    const place = record && join(bundles, record.bundleId);
    return place !== undefined && existsSync(place) ? { ...record!, folder: place } : undefined;
  };
  const records = (): Shelved[] =>
    readdirSync(bundles)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => shelved(readRecord(join(bundles, name))) ?? [])
      .sort((a, b) => (a.fetchedAt < b.fetchedAt ? 1 : -1));
  const remove = (bundleId: string): void => {
    rmSync(join(bundles, `${bundleId}.json`), { force: true });
    rmSync(join(bundles, bundleId), { recursive: true, force: true });
  };
  return {
    openIncoming() {
      const path = mkdtempSync(join(folder, "incoming-"));
      return { path, remove: () => rm(path, { recursive: true, force: true }) };
    },
    place(unpacked, bundleId) {
      const place = join(bundles, bundleId);
      if (existsSync(place)) return { folder: place, isNew: false };
      try {
        renameSync(unpacked, place);
        return { folder: place, isNew: true };
      } catch (error) {
        // Another deployment on this folder may have been faster.
        if (!existsSync(place)) throw error;
        return { folder: place, isNew: false };
      }
    },
    current: () => shelved(readRecord(currentFile)),
    ofVersion: (version) => records().find((record) => record.version === version),
    makeCurrent(record) {
      const text = `${JSON.stringify(record)}\n`;
      replaceFile(join(bundles, `${record.bundleId}.json`), text);
      replaceFile(currentFile, text);
    },
    remove,
    tidy() {
      const current = readRecord(currentFile)?.bundleId;
      const others = records().filter(({ bundleId }) => bundleId !== current);
      for (const { bundleId } of others.slice(keptBundles - 1)) remove(bundleId);
      const recorded = new Set([...records().map(({ bundleId }) => bundleId), current]);
      const unfinished = [
        ...readdirSync(folder).filter((name) => name.startsWith("incoming-")),
        ...readdirSync(bundles).flatMap((name) => (recorded.has(name.slice(0, 64)) ? [] : join("bundles", name))),
      ];
      for (const name of unfinished) {
        const stats = statSync(join(folder, name), { throwIfNoEntry: false });
        if (stats && now() - stats.mtimeMs > incomingLifeMs)
          rmSync(join(folder, name), { recursive: true, force: true });
      }
    },
  };
}

function readRecord(path: string): ShelfRecord | undefined {
  let record: unknown;
  try {
    record = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined; // there is none yet, or none that can be read: the bundle is fetched
  }
  if (!isRecord(record)) return undefined;
  const { bundleId, version, linkId, fetchedAt } = record;
  if (typeof bundleId !== "string" || !/^[0-9a-f]{64}$/.test(bundleId)) return undefined;
  if (typeof linkId !== "string" || typeof fetchedAt !== "string") return undefined;
  return { bundleId, linkId, fetchedAt, version: typeof version === "string" ? version : undefined };
}

/** At once: who reads it gets the old text or the new one. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}.draft`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
