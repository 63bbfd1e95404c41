import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { nameOf } from "../../lib/url/index.js";
import * as objects from "./object-store.js";
import { missing, objectsPath, serveObject, signLink } from "./serve-object.js";

interface FolderStoreOptions {
  /** Created by the first write. */
  readonly folder: string;
  /** Public URL of this service, with or without trailing slash. */
  readonly publicUrl: string;
  /** See `openLinkSecret`. */
  readonly secret: Uint8Array;
  readonly now?: () => number;
}

const draftTtlMs = 24 * 60 * 60_000;

/** Stores objects as files with separate content types. Writes are atomic, so processes can share the folder. */
export function openFolderStore(options: FolderStoreOptions): Required<objects.ObjectStore> {
  const { publicUrl, secret, now = Date.now } = options;
  const folder = resolve(options.folder);
  const drafts = join(folder, ".drafts");
  const fileOf = (objectKey: string): string => {
    objects.checkObjectKey(objectKey);
    return join(folder, objectKey);
  };
  const newDraft = async (): Promise<string> => {
    await mkdir(drafts, { recursive: true });
    return join(drafts, randomBytes(8).toString("hex"));
  };

  const store = async (
    objectKey: string,
    contentType: string,
    write: (draft: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> => {
    const target = fileOf(objectKey);
    const draft = await newDraft();
    const typeDraft = `${draft}.type`;
    try {
      await write(draft);
      await writeFile(typeDraft, contentType, { flag: "wx", flush: true });
      signal?.throwIfAborted();
      await moveTo(typeDraft, typeFileOf(target));
      await moveTo(draft, target);
    } finally {
      await Promise.all([draft, typeDraft].map((path) => rm(path, { force: true })));
    }
  };

  return {
    async put(objectKey, path, contentType, signal) {
      signal?.throwIfAborted();
      const target = fileOf(objectKey);
      const write = (draft: string): Promise<void> =>
        pipeline(createReadStream(path), createWriteStream(draft, { flags: "wx", flush: true }), { signal });
      await store(objectKey, contentType, write, signal).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new Error(`"${path}" could not be stored as "${target}".`, { cause });
      });
    },

    async putBytes(objectKey, bytes, contentType, signal) {
      const target = fileOf(objectKey);
      const write = (draft: string): Promise<void> => writeFile(draft, bytes, { flag: "wx", flush: true });
      await store(objectKey, contentType, write, signal).catch((cause: unknown) => {
        throw new Error(`"${target}" could not be stored.`, { cause });
      });
    },

    async read(objectKey, start, length) {
      const file = await open(fileOf(objectKey), "r").catch(missing);
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        const readBytes = Math.max(0, Math.min(length, size - start));
        const { buffer, bytesRead } = await file.read(Buffer.alloc(readBytes), 0, readBytes, start);
        return { bytes: buffer.subarray(0, bytesRead), size };
      } finally {
        await file.close();
      }
    },

    async sizeOf(objectKey) {
      const stats = await stat(fileOf(objectKey)).catch(missing);
      return stats?.isFile() ? stats.size : undefined;
    },

    async link(objectKey, ttlMs) {
      objects.checkTtl(ttlMs);
      if ((await this.sizeOf(objectKey)) === undefined) throw new objects.ObjectMissingError(objectKey);
      const expires = Math.floor((now() + ttlMs) / 1000);
      const signature = signLink(secret, { method: "GET", objectKey, expires });
      const address = `${publicUrl.replace(/\/+$/, "")}${objectsPath}${objectKey}`;
      return { url: `${address}?expires=${expires}&signature=${signature}`, expiresAt: new Date(expires * 1000) };
    },

    async remove(objectKey) {
      const file = fileOf(objectKey);
      await rm(file, { force: true });
      await rm(typeFileOf(file), { force: true });
      await removeEmpty(dirname(file), folder);
    },

    async list(under) {
      const names = await readdir(join(folder, under), { recursive: true }).catch(missing);
      const storedObjects = await Promise.all(
        (names ?? []).map(async (name): Promise<objects.StoredObject[]> => {
          const objectKey = under + name.split(sep).join("/");
          const stats = objects.isObjectKey(objectKey) ? await stat(join(folder, objectKey)).catch(missing) : undefined;
          return stats?.isFile() ? [{ objectKey, bytes: stats.size, changedAt: stats.mtime }] : [];
        }),
      );
      return storedObjects.flat();
    },

    async check() {
      try {
        const draft = await newDraft();
        await writeFile(draft, "", { flag: "wx" });
        await rm(draft);
      } catch (cause) {
        throw new Error(`The folder of the object store, "${folder}", is not writable.`, { cause });
      }
    },

    async prune() {
      const names = (await readdir(drafts).catch(missing)) ?? [];
      const old = await Promise.all(
        names.map(async (name) => {
          const stats = await stat(join(drafts, name)).catch(missing);
          return stats && stats.mtimeMs < now() - draftTtlMs ? [join(drafts, name)] : [];
        }),
      );
      for (const path of old.flat()) await rm(path, { force: true });
      return old.flat().length;
    },

    serveObject: (request) =>
      serveObject(request, {
        secret,
        now,
        fileOf: async (objectKey) => {
          const path = fileOf(objectKey);
          const contentType = await readFile(typeFileOf(path), "utf8").catch(missing);
          return { path, contentType: contentType ?? "application/octet-stream", fileName: nameOf(objectKey) };
        },
      }),
  };
}

/** No object key collides with it, since no segment of a key starts with a dot. */
const typeFileOf = (file: string): string => join(dirname(file), `.${nameOf(file)}.type`);

async function moveTo(draft: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await mkdir(dirname(target), { recursive: true });
    try {
      await rename(draft, target);
      return await syncFolder(dirname(target));
    } catch (error) {
      // The folder was empty, and a concurrent removal deleted it.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === 5) throw error;
    }
  }
}

/** Without this, a power failure may undo the rename. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function removeEmpty(path: string, root: string): Promise<void> {
  try {
    for (let each = path; each !== root; each = dirname(each)) await rmdir(each);
  } catch {
    // The folder contains other objects.
  }
}
