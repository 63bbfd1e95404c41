import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, realpath, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { fieldsOf, valueOfJson } from "../json/index.js";
import { readPlainFile } from "./checked-file.js";
import { isPackName } from "./packs.js";

/** Time limit of a whole fetch, in milliseconds, after which the remaining packs are left out. */
const totalMs = 60_000;
const minBytesPerMs = 4000;
const atOnce = 4;
const maxPackBytes = 128 * 2 ** 20;
const maxIndexBytes = 1024 * 2 ** 20;
/** At most this many indexes are merged; each run leaves one, and killed runs leave more. */
const maxIndexes = 64;
const dayMs = 24 * 60 * 60_000;
/** A pack that no index names may belong to a run in progress, or be read right now. */
const graceMs = dayMs;
const scannedBytes = 2 ** 20;
const packInIndex = /"([0-9a-f]{16}\.pack)"/g;

const isIndexName = (name: string): boolean => /^index-[0-9a-z-]{1,64}$/.test(name);

export interface SharedFolderOptions {
  readonly root: string;
  /** The folder of the stored pages, below `root`. Its folders are created, and not followed if they are links. */
  readonly path: readonly string[];
  readonly remote: RemoteStore;
  /** Prefix of the names of the site's objects, without a trailing slash. */
  readonly under: string;
  readonly signal?: AbortSignal | undefined;
  readonly now?: () => number;
  /** Longest time for one request, in milliseconds. */
  readonly requestMs?: number;
}

/**
 * Shares a folder of stored pages through a remote store. A run uploads its packs first, which never lose an entry. Then it
 * adds its own index and removes the indexes that it has merged. So each pack of an index exists, and two runs at the same
 * time lose no entry.
 *
 * Fails: never. After the first failure the remote store is no longer used; `onFailure` gets the reason.
 * Stops: once `signal` aborts.
 */
export function shareFolder(options: SharedFolderOptions) {
  const { root, path, remote, under, signal, now = Date.now, requestMs = 30_000 } = options;
  let folder = "";
  let record: Awaited<ReturnType<typeof openShareRecord>>;
  let isLost = false;
  let last: Promise<unknown> = Promise.resolve();
  /** Objects of the remote store by file name. */
  let listed = new Map<string, RemoteObject>();
  /** Indexes whose entries are part of this folder's next full index. */
  const merged = new Set<string>();
  /** Partial indexes that this run has sent. */
  const sent = new Set<string>();
  /** Packs that this run has sent, with the size that they had: they may have grown since. */
  const sentBytes = new Map<string, number>();

  const objectOf = (name: string): string => `${under}/${name}.gz`;
  const nameOf = (object: string): string => object.slice(under.length + 1, -".gz".length);
  const deadline = (): AbortSignal => {
    const timeout = AbortSignal.timeout(requestMs);
    return signal ? AbortSignal.any([signal, timeout]) : timeout;
  };
  /** Runs requests in order, and none after a failure. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const run = last.then(async () => {
      if (isLost || signal?.aborted) return;
      try {
        await work();
      } catch (error) {
        isLost = true;
        if (!signal?.aborted) remote.onFailure(error);
      }
    });
    last = run;
    return run;
  };
  const list = async (): Promise<Map<string, RemoteObject>> => {
    const objects = await remote.list(`${under}/`, deadline());
    return new Map(
      objects.flatMap((object): [string, RemoteObject][] => {
        const name = nameOf(object.name);
        return objectOf(name) === object.name && (isIndexName(name) || isPackName(name)) ? [[name, object]] : [];
      }),
    );
  };
  const get = async (name: string, maxOutputLength: number): Promise<Buffer | undefined> => {
    const packed = await remote.get(objectOf(name), deadline());
    if (packed === undefined) return undefined;
    // A damaged object counts as missing.
    return promisify(gunzip)(packed, { maxOutputLength }).catch(() => undefined);
  };
  /** Returns the size of the object. */
  const put = async (name: string, bytes: Buffer): Promise<number> => {
    const packed = await promisify(gzip)(bytes, { level: 1 });
    await remote.put(objectOf(name), packed, deadline());
    return packed.length;
  };
  const remove = async (names: Iterable<string>): Promise<void> => {
    await inParallel(names, (name) => remote.remove(objectOf(name), deadline()));
  };
  const send = async (packs: readonly string[]): Promise<void> => {
    await inParallel(packs, async (pack) => {
      const sharedSize = record.sizeOf(pack);
      if (sharedSize !== undefined && sharedSize === listed.get(pack)?.bytes && !sentBytes.has(pack)) return;
      const size = await stat(join(folder, pack)).then(
        (stats) => stats.size,
        () => undefined,
      );
      if (size === undefined || size === sentBytes.get(pack)) return;
      const bytes = await readPlainFile(folder, pack, maxPackBytes);
      if (bytes === undefined) return;
      record.setSize(pack, await put(pack, bytes));
      sentBytes.set(pack, bytes.length);
    });
  };
  /** Removes packs that no index refers to. */
  const prune = async (needed: ReadonlySet<string>, index: string): Promise<void> => {
    const objects = await list();
    // Another run has added an index in the meantime, which may need these packs.
    if ([...objects.keys()].some((name) => isIndexName(name) && name !== index)) return;
    const isOld = ({ changedAt }: RemoteObject): boolean => now() - changedAt > graceMs;
    await remove(
      [...objects].flatMap(([name, object]) => (name !== index && !needed.has(name) && isOld(object) ? [name] : [])),
    );
  };

  return {
    /** Fetches what the folder lacks; called before the folder is read. */
    fetch: () =>
      inTurn(async () => {
        folder = await makeFolders(root, path);
        record = await openShareRecord(folder);
        listed = await list();
        const ends = now() + totalMs + sumOf(listed) / minBytesPerMs;
        const local = new Set(await readdir(folder));
        const mergedBefore = local.has("index") ? record.indexes : [];
        const newestFirst = [...listed.values()].toSorted((a, b) => b.changedAt - a.changedAt);
        const indexes = newestFirst.map(({ name }) => nameOf(name)).filter(isIndexName);
        for (const name of indexes) if (mergedBefore.includes(name) || local.has(name)) merged.add(name);
        for (const name of indexes.slice(maxIndexes)) merged.add(name);
        const newIndexes = new Map<string, Buffer>();
        await inParallel(
          indexes.filter((name) => !merged.has(name)),
          async (name) => {
            const bytes = await get(name, maxIndexBytes);
            merged.add(name);
            if (bytes) newIndexes.set(name, bytes);
          },
        );
        await inParallel(new Set([...newIndexes.values()].flatMap(packsIn)), async (pack) => {
          const object = listed.get(pack);
          const size = record.sizeOf(pack);
          const isLocal = local.has(pack) && (size === undefined || size === object?.bytes);
          if (!object || isLocal || now() > ends) return;
          const bytes = await get(pack, maxPackBytes);
          if (!bytes) return;
          await replaceFile(folder, pack, bytes);
          record.setSize(pack, object.bytes);
        });
        for (const [name, bytes] of newIndexes) await replaceFile(folder, name, bytes);
        await record.save(record.digest, mergedBefore, listed.keys());
      }),
    /** Sends the partial indexes of a run in progress. */
    sendPartial: () =>
      inTurn(async () => {
        for (const name of await readdir(folder)) {
          if (!isIndexName(name) || merged.has(name) || sent.has(name)) continue;
          const index = await readPlainFile(folder, name, maxIndexBytes);
          if (!index) continue;
          await send(packsIn(index));
          await put(name, index);
          sent.add(name);
        }
      }),
    /** Sends the folder's index, and the packs that it needs; called once a run has written the index. */
    send: () =>
      inTurn(async () => {
        const index = await readPlainFile(folder, "index", maxIndexBytes);
        if (!index) return;
        const digest = index.toString("latin1", 0, Math.max(0, index.indexOf(10)));
        const [last] = record.indexes;
        const isSame = digest === record.digest && last !== undefined && merged.size === 1 && merged.has(last);
        if (isSame && sent.size === 0 && now() - listed.get(last)!.changedAt < dayMs) return;
        const packs = packsIn(index);
        await send(packs);
        const name = `index-${randomBytes(8).toString("hex")}`;
        await put(name, index);
        await remove([...merged, ...sent]);
        await prune(new Set(packs), name);
        await record.save(digest, [name], packs);
      }),
  };
}

/** @throws {Error} if one of the folders exists as a file or a link. */
async function makeFolders(root: string, path: readonly string[]): Promise<string> {
  await mkdir(root, { recursive: true });
  let folder = await realpath(root);
  for (const name of path) {
    folder = join(folder, name);
    await mkdir(folder).catch(() => {});
    if (!(await lstat(folder)).isDirectory()) throw new Error("The folder of the stored pages is not a folder.");
  }
  return folder;
}

/** Writes a file at once: a reader gets the old or the new file, whole. */
async function replaceFile(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const draft = join(folder, `${name}.${randomBytes(6).toString("hex")}`);
  await writeFile(draft, content, { flag: "wx" });
  await rename(draft, join(folder, name));
}

/** Names of the packs of an index. Reads it in blocks, since the index of a large site has 100 MB. */
function packsIn(index: Buffer): string[] {
  const packs = new Set<string>();
  for (let at = 0; at < index.length; at += scannedBytes)
    // A name may span two blocks.
    for (const [, pack] of index.toString("latin1", at, at + scannedBytes + 32).matchAll(packInIndex)) packs.add(pack!);
  return [...packs];
}

const sumOf = (objects: ReadonlyMap<string, RemoteObject>): number =>
  [...objects.values()].reduce((sum, { bytes }) => sum + bytes, 0);

async function inParallel(names: Iterable<string>, work: (name: string) => Promise<void>): Promise<void> {
  const left = [...names];
  const workInTurn = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift())
      await work(name).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
  };
  await Promise.all(Array.from({ length: atOnce }, workInTurn));
}

/** A store of small objects that machines share: a bucket, or a folder of it. */
export interface RemoteStore {
  /** All objects whose names begin with `under`. */
  list(under: string, signal: AbortSignal): Promise<readonly RemoteObject[]>;
  /** Undefined if there is no such object. */
  get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Replaces the object atomically: a reader gets the old or the new object, whole. */
  put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Does nothing if there is no such object. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Called with the first failure; the run goes on without the store. */
  onFailure(error: unknown): void;
}

export interface RemoteObject {
  readonly name: string;
  /** Time of the last write, in milliseconds since 1970. */
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
    /** @param needed the packs whose sizes are saved. */
    async save(newDigest: string, newIndexes: readonly string[], needed: Iterable<string>): Promise<void> {
      const sizes = Object.fromEntries([...needed].map((pack) => [pack, packs.get(pack)]));
      await replaceFile(folder, fileName, JSON.stringify({ digest: newDigest, indexes: newIndexes, sizes }));
    },
  };
}
