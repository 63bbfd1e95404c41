import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Cache } from "./cache.js";
import { markUsed, pruneUnused } from "./prune-unused.js";

const digestBytes = 16;

/**
 * A cache in a folder, which threads and processes may share. Writes are atomic: after a crash an entry is complete or
 * missing. A damaged entry counts as missing. Keys are lower-case hex of at least 8 characters.
 */
export function openFolderCache(folder: string): Cache {
  const fileOf = (key: string): string => {
    if (!/^[0-9a-f]{8,}$/.test(key)) throw new RangeError(`A cache key must be lower-case hex; "${key}" is not.`);
    return join(folder, key.slice(0, 2), key.slice(2));
  };
  return {
    get(key) {
      try {
        const file = fileOf(key);
        const stored = readFileSync(file);
        const value = stored.subarray(digestBytes);
        if (!digestOf(value).equals(stored.subarray(0, digestBytes))) return undefined;
        markUsed(file);
        return value;
      } catch (error) {
        if (error instanceof RangeError) throw error;
        return undefined;
      }
    },
    put(key, value) {
      const file = fileOf(key);
      const draft = `${file}.${randomBytes(6).toString("hex")}`;
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(draft, Buffer.concat([digestOf(value), value]));
        renameSync(draft, file);
      } catch {
        removeQuietly(draft);
      }
    },
  };
}

/** Removes entries that have not been read or written for 30 days, at most once a day. Never fails. */
export const pruneCache = (folder: string): Promise<void> =>
  pruneUnused(folder, [/^[0-9a-f]{2}$/, /^[0-9a-f]{6,}(?:\.[0-9a-f]{12})?$/]);

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder cannot be reached, so the draft was never written.
  }
}

function digestOf(value: Uint8Array): Buffer {
  return createHash("sha256").update(value).digest().subarray(0, digestBytes);
}
