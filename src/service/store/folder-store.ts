import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { signLink } from "./link-signature.js";
import { checkObjectKey, fileNameOf } from "./object-key.js";
import { ObjectMissingError, type ObjectStore } from "./object-store.js";
import { objectsPath, serveObject } from "./serve-object.js";

export interface FolderStoreOptions {
  /** Made when it is first written. */
  readonly folder: string;
  /** Where clients reach this service, with or without a slash at the end. */
  readonly publicUrl: string;
  /** See `openLinkSecret`. */
  readonly secret: Uint8Array;
  readonly now?: () => number;
}

export interface FolderStore extends ObjectStore {
  serveObject(request: Request): Promise<Response>;
}

const draftLifeMs = 24 * 60 * 60_000;

/**
 * Objects as files of a folder: `<folder>/<object key>`, each with its content type beside it. They are written in
 * `.drafts` and moved when they are whole, so that many processes may share the folder.
 */
export function openFolderStore(options: FolderStoreOptions): FolderStore {
  const { publicUrl, secret, now = Date.now } = options;
  const folder = resolve(options.folder);
  const drafts = join(folder, ".drafts");
  const fileOf = (objectKey: string): string => {
    checkObjectKey(objectKey);
    return join(folder, objectKey);
  };
  const newDraft = async (): Promise<string> => {
    await mkdir(drafts, { recursive: true });
    return join(drafts, randomBytes(8).toString("hex"));
  };

  return {
    async put(objectKey, path, contentType, signal) {
      signal?.throwIfAborted();
      const target = fileOf(objectKey);
      const drafted: string[] = [];
      const draftOf = async (): Promise<string> => {
        drafted.push(await newDraft());
        return drafted.at(-1)!;
      };
      try {
        const [draft, typeDraft] = [await draftOf(), await draftOf()];
        await pipeline(createReadStream(path), createWriteStream(draft, { flags: "wx", flush: true }), {
          ...(signal && { signal }),
        });
        await writeFile(typeDraft, contentType, { flag: "wx", flush: true });
        signal?.throwIfAborted();
        await moveTo(typeDraft, typeFileOf(target));
        await moveTo(draft, target);
      } catch (cause) {
        signal?.throwIfAborted();
        throw new Error(`"${path}" could not be kept as "${target}".`, { cause });
      } finally {
        await Promise.all(drafted.map((each) => rm(each, { force: true })));
      }
    },

    async sizeOf(objectKey) {
      const stats = await stat(fileOf(objectKey)).catch(missing);
      return stats?.isFile() ? stats.size : undefined;
    },

    async link(objectKey, ttlMs) {
      if (!(ttlMs >= 1000)) throw new RangeError(`A link lives for 1000 milliseconds at least, not ${ttlMs}.`);
      if ((await this.sizeOf(objectKey)) === undefined) throw new ObjectMissingError(objectKey);
      const expires = Math.floor((now() + ttlMs) / 1000);
      const signature = signLink(secret, { method: "GET", objectKey, expires });
      const place = `${publicUrl.replace(/\/+$/, "")}${objectsPath}${objectKey}`;
      return { url: `${place}?expires=${expires}&signature=${signature}`, expiresAt: new Date(expires * 1000) };
    },

    async remove(objectKey) {
      const file = fileOf(objectKey);
      await rm(file, { force: true });
      await rm(typeFileOf(file), { force: true });
      await removeEmpty(dirname(file), folder);
    },

    async check() {
      try {
        const draft = await newDraft();
        await writeFile(draft, "", { flag: "wx" });
        await rm(draft);
      } catch (cause) {
        throw new Error(`The folder of the object store, "${folder}", cannot be written.`, { cause });
      }
    },

    async sweep() {
      const names = (await readdir(drafts).catch(missing)) ?? [];
      const old = await Promise.all(
        names.map(async (name) => {
          const stats = await stat(join(drafts, name)).catch(missing);
          return stats && stats.mtimeMs < now() - draftLifeMs ? [join(drafts, name)] : [];
        }),
      );
      for (const path of old.flat()) await rm(path, { force: true });
      return old.flat().length;
    },

    serveObject: (request) =>
      serveObject(request, {
        secret,
        now,
        fileOf: async (objectKey) => ({
          path: fileOf(objectKey),
          contentType:
            (await readFile(typeFileOf(fileOf(objectKey)), "utf8").catch(missing)) ?? "application/octet-stream",
          fileName: fileNameOf(objectKey),
        }),
      }),
  };
}

/** No key leads here, since none has a segment that begins with a dot. */
const typeFileOf = (file: string): string => join(dirname(file), `.${fileNameOf(file)}.type`);

async function moveTo(draft: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await mkdir(dirname(target), { recursive: true });
    try {
      await rename(draft, target);
      return await syncFolder(dirname(target));
    } catch (error) {
      // The folder was empty for a moment, and a removal has taken it away.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === 5) throw error;
    }
  }
}

/** Without this a power cut may undo the move. */
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
    // It holds other objects.
  }
}

function missing(error: unknown): undefined {
  if (!["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
}
