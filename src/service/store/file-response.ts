import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { namesTag, parseRange } from "../../lib/http/index.js";

export interface ServedFile {
  readonly path: string;
  readonly contentType: string;
  /** File name of the download. */
  readonly fileName: string;
}

/**
 * Answers a GET or HEAD with a file, one range of it, or 304. The body is streamed from the file that was opened, even
 * if it is deleted in the meantime. Undefined if there is no such file.
 */
export async function fileResponse(request: Request, served: ServedFile): Promise<Response | undefined> {
  const file = await openRegular(served.path);
  if (!file) return undefined;
  try {
    const { size, mtimeNs, ino } = await file.stat({ bigint: true });
    const bytes = Number(size);
    const etag = `"${size.toString(16)}-${mtimeNs.toString(16)}-${ino.toString(16)}"`;
    const lastModified = new Date(Number(mtimeNs / 1_000_000n)).toUTCString();
    const headers = {
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      "content-disposition": `attachment; filename="${served.fileName}"`,
      "content-type": served.contentType,
      etag,
      "last-modified": lastModified,
      "x-content-type-options": "nosniff",
    };
    const done = async (status: number, more: Readonly<Record<string, string>>): Promise<Response> => {
      await file.close();
      return new Response(null, { status, headers: { ...headers, ...more } });
    };
    if (namesTag(request.headers.get("if-none-match"), etag)) return await done(304, {});
    if (request.method === "HEAD") return await done(200, { "content-length": String(bytes) });

    const condition = request.headers.get("if-range")?.trim();
    const isSame = condition === undefined || condition === etag || condition === lastModified;
    const range = isSame ? parseRange(request.headers.get("range"), bytes) : undefined;
    if (range === "unsatisfiable") return await done(416, { "content-range": `bytes */${bytes}` });
    const { first, last } = range ?? { first: 0, last: bytes - 1 };
    const length = { "content-length": String(last - first + 1) };
    if (bytes === 0) return await done(200, length);
    const stream = file.createReadStream({ start: first, end: last, highWaterMark: 256 * 1024 });
    return new Response(Readable.toWeb(stream) as ReadableStream, {
      status: range ? 206 : 200,
      headers: { ...headers, ...length, ...(range && { "content-range": `bytes ${first}-${last}/${bytes}` }) },
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openRegular(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, "r").catch(missing);
  if (!file || (await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

/** For `catch`: a file or folder that does not exist is undefined; other errors are thrown. */
export function missing(error: unknown): undefined {
  if (!["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
}
