import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type ByteRange, type Encoding, encodingFor, namesTag, parseRange } from "../lib/http/index.js";
import { type ContentCache, largestCachedBytes } from "./content-cache.js";
import type { ServedFile } from "./served-bundle.js";

export interface Sending {
  readonly file: ServedFile;
  readonly cache: ContentCache;
  /** 404 for the not-found page, which is always sent whole. */
  readonly status: 200 | 404;
  /** Request headers other than `Accept-Encoding` that chose the file. */
  readonly vary?: string;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
}

/**
 * Answers with a file: whole, compressed, in part, or "not modified".
 *
 * @throws {Error} if the file cannot be read; nothing was sent by then.
 */
export async function sendFile(request: IncomingMessage, response: ServerResponse, sending: Sending): Promise<void> {
  const { file, cache, status, vary } = sending;
  const { headers } = request;
  const isLarge = file.bytes > largestCachedBytes;
  const asksPart = status === 200 && headers.range !== undefined && request.method === "GET";
  const encoding = file.isCompressible && !isLarge && !asksPart ? encodingFor(headers["accept-encoding"]) : "identity";
  const etag = etagOf(file, encoding);
  const varies = [vary, file.isCompressible && !isLarge ? "Accept-Encoding" : undefined].filter(Boolean).join(", ");
  const common = [
    ...(sending.headers ?? []),
    ...(varies === "" ? [] : ["vary", varies]),
    ...(status === 200 ? ["etag", etag, "accept-ranges", "bytes"] : []),
  ];

  if (status === 200 && namesTag(headers["if-none-match"], etag)) {
    response.writeHead(304, [...common, ...cacheControlOf(file)]).end();
    return;
  }
  const range =
    asksPart && matchesTag(request.headersDistinct["if-range"]?.[0], etag)
      ? parseRange(headers.range, file.bytes)
      : undefined;
  if (range === "unsatisfiable") {
    response.writeHead(416, ["content-range", `bytes */${file.bytes}`, "content-length", "0"]).end();
    return;
  }
  if (isLarge) return await stream(request, response, sending, common, range);
  const content = cache.peek(file, encoding) ?? (await cache.get(file, encoding));
  const body = range === undefined ? content : content.subarray(range.first, range.last + 1);
  response.writeHead(range === undefined ? status : 206, [
    ...file.headers,
    ...common,
    ...(encoding === "identity" ? [] : ["content-encoding", encoding]),
    ...contentRange(range, file),
    "content-length",
    String(body.length),
  ]);
  response.end(request.method === "HEAD" ? undefined : body);
}

async function stream(
  request: IncomingMessage,
  response: ServerResponse,
  { file, status }: Sending,
  common: readonly string[],
  range: ByteRange | undefined,
): Promise<void> {
  const { first, last } = range ?? { first: 0, last: file.bytes - 1 };
  const content = createReadStream(file.path, { start: first, end: last });
  await new Promise<void>((resolve, reject) => {
    content.once("open", () => resolve());
    content.once("error", reject);
  });
  response.writeHead(range === undefined ? status : 206, [
    ...file.headers,
    ...common,
    ...contentRange(range, file),
    "content-length",
    String(last - first + 1),
  ]);
  if (request.method === "HEAD") {
    content.destroy();
    response.end();
    return;
  }
  // A client that disconnects is not an error.
  await pipeline(content, response).catch(() => response.destroy());
}

const contentRange = (range: ByteRange | undefined, file: ServedFile): string[] =>
  range === undefined ? [] : ["content-range", `bytes ${range.first}-${range.last}/${file.bytes}`];

/** Each encoding has its own tag, because its bytes differ. */
const etagOf = (file: ServedFile, encoding: Encoding): string =>
  encoding === "identity" ? `"${file.sha256.slice(0, 32)}"` : `"${file.sha256.slice(0, 32)}-${encoding}"`;

/** Whether a range may be sent: `If-Range` is the tag or missing. Dates are not supported. */
const matchesTag = (header: string | undefined, etag: string): boolean =>
  header === undefined || header.trim() === etag;

function cacheControlOf({ headers }: ServedFile): string[] {
  const at = headers.indexOf("cache-control");
  return at < 0 ? [] : headers.slice(at, at + 2);
}
