import { isObject, type Json, valueOfJson } from "../../lib/json/index.js";

/** Next to docs.json, so that it is reviewed and committed with the site. */
export const lockName = "offprint.lock.json";

/** A file of another host as an export has seen it. */
export interface LockEntry {
  /** Of the bytes as fetched, in lower-case hex. */
  readonly sha256: string;
  readonly type: string;
  readonly bytes: number;
  /** Where a redirect led to; only of a style sheet, whose addresses are relative to it. */
  readonly base?: string;
}

/** By URL without its fragment. */
export type Lock = ReadonlyMap<string, LockEntry>;

export const emptyLock: Lock = new Map();

const version = 1;

/** Undefined for a text that is not a lock. */
export function parseLock(text: string): Lock | undefined {
  const json = valueOfJson(text) as Json | undefined;
  if (!isObject(json) || json["version"] !== version || !isObject(json["files"])) return undefined;
  const lock = new Map<string, LockEntry>();
  for (const [url, entry] of Object.entries(json["files"])) {
    if (!isObject(entry)) return undefined;
    const { sha256, type, bytes, base } = entry;
    if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    if (typeof type !== "string" || typeof bytes !== "number") return undefined;
    lock.set(url, { sha256, type, bytes, ...(typeof base === "string" && URL.canParse(base) ? { base } : {}) });
  }
  return lock;
}

/** Sorted by URL, so that a change of one file is a change of a few lines. */
export function printLock(lock: Lock): string {
  const files = Object.fromEntries([...lock].sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version, files }, null, 2)}\n`;
}
