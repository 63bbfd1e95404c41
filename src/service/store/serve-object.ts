import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type FileHandle, link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { namesTag, parseRange } from "../../lib/http/index.js";
import { isObjectKey } from "./object-store.js";

export const objectsPath = "/v1/objects/";

/**
 * Answers one request for a link of a folder store.
 *
 * In:    a GET, or a HEAD of the same link. A proxy may have added a prefix before `/v1/objects/`.
 * Out:   the file or a range of it; 403 for a modified or expired link; 404 if the file is gone.
 * Fails: throws what the file system throws.
 */
export async function serveObject(request: Request, { secret, now, fileOf }: ServeObjectOptions): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const start = pathname.indexOf(objectsPath);
  const objectKey = start < 0 ? "" : pathname.slice(start + objectsPath.length);
  const [written, signature] = [searchParams.get("expires") ?? "", searchParams.get("signature") ?? ""];
  const expires = /^[1-9]\d{0,14}$/.test(written) ? Number(written) : 0;
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (!isObjectKey(objectKey) || !isSignedLink(secret, { method, objectKey, expires }, signature))
    return refusedLink(request, 403, "This link is invalid: this service did not sign it. Request a new one.");
  if (now() >= expires * 1000) {
    const expired = `This link expired at ${new Date(expires * 1000).toISOString()}.`;
    return refusedLink(request, 403, `${expired} Request a new one: POST /v1/static-export/jobs/{jobId}/bundle.`);
  }
  const response = await fileResponse(request, await fileOf(objectKey));
  return response ?? refusedLink(request, 404, "The file has been deleted. Export again.");
}

interface ServeObjectOptions {
  readonly secret: Uint8Array;
  readonly now: () => number;
  fileOf(objectKey: string): Promise<ServedFile>;
}

interface ServedFile {
  readonly path: string;
  readonly contentType: string;
  readonly fileName: string;
}

/** Answers with a file, one range of it, or 304; undefined without such a file. It may be deleted meanwhile. */
async function fileResponse(request: Request, served: ServedFile): Promise<Response | undefined> {
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

/** Explains why a link is refused: HTML for browsers, JSON for programs. */
function refusedLink(request: Request, status: 403 | 404, message: string): Response {
  const headers = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
  const isPage = request.headers.get("accept")?.includes("text/html") ?? false;
  const body = isPage ? page(message) : JSON.stringify({ error: message });
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: isPage
      ? { ...headers, "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'" }
      : { ...headers, "content-type": "application/json" },
  });
}

/** `message` is our own text and contains no HTML. */
const page = (message: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>No download</title>
<h1>This file cannot be downloaded</h1>
<p>${message}</p>
</html>
`;

interface LinkClaim {
  readonly method: string;
  readonly objectKey: string;
  /** Unix time in seconds. */
  readonly expires: number;
}

/** Unpadded base64url of an HMAC-SHA256: 43 characters. */
export function signLink(secret: Uint8Array, claim: LinkClaim): string {
  return digest(secret, claim).toString("base64url");
}

/** Compares in constant time. */
export function isSignedLink(secret: Uint8Array, claim: LinkClaim, signature: string): boolean {
  if (!/^[A-Za-z0-9_-]{43}$/.test(signature)) return false;
  const expected = digest(secret, claim);
  const seen = Buffer.from(signature, "base64url");
  // Several texts decode to the same bytes; only the canonical one is valid.
  return timingSafeEqual(seen, expected) && seen.toString("base64url") === signature;
}

// Methods and keys contain no line breaks, so different claims give different texts.
const digest = (secret: Uint8Array, { method, objectKey, expires }: LinkClaim): Buffer =>
  createHmac("sha256", secret).update(`offprint link 1\n${method}\n${objectKey}\n${expires}`).digest();

export const linkSecretFile = (dataFolder: string): string => join(dataFolder, "link-secret");

/**
 * The secret that signs the links of a folder store: 32 random bytes, created once and stored in `dataFolder`, readable
 * by this user only. Processes that start at the same time agree on one secret.
 *
 * @throws {Error} naming the file if it cannot be read or written, or contains no secret.
 */
export async function openLinkSecret(dataFolder: string): Promise<Uint8Array> {
  const path = linkSecretFile(dataFolder);
  const existing = await read(path);
  if (existing) return existing;
  try {
    await createSecretFile(path);
  } catch (cause) {
    throw new Error(`The secret for signing links could not be written to "${path}".`, { cause });
  }
  return (await read(path))!;
}

/**
 * Creates a file with 32 random bytes in hexadecimal digits that this user alone can read. Does nothing if it exists:
 * processes that start at the same time agree on one secret.
 */
export async function createSecretFile(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString("hex")}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, a link does not replace the file of another process.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

async function read(path: string): Promise<Uint8Array | undefined> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw new Error(`The secret for signing links could not be read from "${path}".`, { cause });
  });
  if (text === undefined) return undefined;
  if (!/^[0-9a-f]{64}\s*$/.test(text))
    throw new Error(
      `"${path}" does not contain a secret for signing links. Delete the file to create a new one; existing links become invalid.`,
    );
  return Buffer.from(text.trim(), "hex");
}
