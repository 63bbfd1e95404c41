import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf, valueOfJson } from "../json/index.js";
import { readPlainFile } from "./checked-file.js";

/** A store of small objects that machines share: a bucket, or a folder of it. */
export interface RemoteStore {
  /** All objects whose names begin with `under`. */
  list(under: string, signal: AbortSignal): Promise<readonly RemoteObject[]>;
  /** Undefined if there is no such object. */
  get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Replaces the object at once: a reader sees the whole of the old one or of the new one. */
  put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Does nothing if there is no such object. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Called with the first failure; the run goes on without the store. */
  onFailure(error: unknown): void;
}

export interface RemoteObject {
  readonly name: string;
  /** When it was written last, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly bytes: number;
}

const fileName = "shared";
const maxBytes = 4 * 2 ** 20;

/** Remembers from run to run what a folder of stored pages shares with the remote store. */
export async function openShareRecord(folder: string) {
  const text = (await readPlainFile(folder, fileName, maxBytes))?.toString("utf8");
  const { digest, indexes, sizes } = fieldsOf(valueOfJson(text));
  const packs = new Map(Object.entries(fieldsOf(sizes)).filter(([, size]) => typeof size === "number"));
  return {
    /** Hash of the folder's index when it was sent. */
    digest: typeof digest === "string" ? digest : "",
    /** Remote indexes whose entries the folder's index has. */
    indexes: Array.isArray(indexes) ? indexes.filter((name): name is string => typeof name === "string") : [],
    /** Size of the object of a pack when it was fetched or sent. */
    sizeOf: (pack: string) => packs.get(pack) as number | undefined,
    setSize: (pack: string, bytes: number) => void packs.set(pack, bytes),
    /** @param needed the packs to remember. */
    async save(newDigest: string, newIndexes: readonly string[], needed: Iterable<string>): Promise<void> {
      const draft = join(folder, `${fileName}.${randomBytes(6).toString("hex")}`);
      const known = [...needed].map((pack) => [pack, packs.get(pack)]);
      const record = { digest: newDigest, indexes: newIndexes, sizes: Object.fromEntries(known) };
      await writeFile(draft, JSON.stringify(record), { flag: "wx" });
      await rename(draft, join(folder, fileName));
    },
  };
}
