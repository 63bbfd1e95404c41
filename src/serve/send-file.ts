import { once } from "node:events";
import { createReadStream, ReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Encoding, encodingFor, namesTag, parseRange } from "../lib/http/index.js";
import { type ContentCache, maxCachedBytes } from "./content-cache.js";
import { noSniffing, type ServedFile } from "./served-bundle.js";

export interface Sending {
  readonly file: ServedFile;
  readonly cache: ContentCache;
  /** 404 for the not-found page, which is always sent whole. */
  readonly status: 200 | 404;
  /** Request headers other than `Accept-Encoding` that chose the file. */
  readonly vary?: string | undefined;
}

/**
 * Answers with a file: whole, compressed, in part, or "not modified".
 *
 * The package `send` reads from disk, makes tags from times, and does not compress. This function answers from memory, with
 * tags of the content: 75 µs of processor time for a page of 32 kB, against 170.
 *
 * @throws {Error} if the file cannot be read; nothing was sent by then.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, cache, status, vary }: Sending,
): Promise<void> {
  const { headers, method } = request;
  const mayCompress = file.isCompressible && file.bytes <= maxCachedBytes;
  const rangeHeader = status === 200 && method === "GET" ? headers.range : undefined;
  const encoding = mayCompress && rangeHeader === undefined ? encodingFor(headers["accept-encoding"]) : "identity";
  const etag = entityTag(file, encoding);
  const varies = [vary, mayCompress ? "Accept-Encoding" : undefined].filter(Boolean).join(", ");
  const common = [
    ...(varies === "" ? [] : ["vary", varies]),
    ...(status === 200 ? ["etag", etag, "accept-ranges", "bytes"] : []),
  ];
  if (status === 200 && namesTag(headers["if-none-match"], etag)) {
    const at = file.headers.indexOf("cache-control");
    response.writeHead(304, [...noSniffing, ...common, ...(at < 0 ? [] : file.headers.slice(at, at + 2))]).end();
    return;
  }
  const ifRange = request.headersDistinct["if-range"]?.[0]?.trim();
  // A date in If-Range never matches: files are sent without one.
  const range = ifRange === undefined || ifRange === etag ? parseRange(rangeHeader, file.bytes) : undefined;
  if (range === "unsatisfiable") {
    response.writeHead(416, [...noSniffing, "content-range", `bytes */${file.bytes}`, "content-length", "0"]).end();
    return;
  }
  const { first, last } = range ?? { first: 0, last: file.bytes - 1 };
  const content =
    file.bytes > maxCachedBytes
      ? createReadStream(file.path, { start: first, end: last })
      : (await cache(file, encoding)).subarray(first, range && last + 1);
  if (content instanceof ReadStream) await once(content, "open");
  const length = content instanceof ReadStream ? last - first + 1 : content.length;
  response.writeHead(range === undefined ? status : 206, [
    ...file.headers,
    ...common,
    ...(encoding === "identity" ? [] : ["content-encoding", encoding]),
    ...(range === undefined ? [] : ["content-range", `bytes ${first}-${last}/${file.bytes}`]),
    ...["content-length", String(length)],
  ]);
  if (!(content instanceof ReadStream)) response.end(method === "HEAD" ? undefined : content);
  else if (method === "HEAD") {
    content.destroy();
    response.end();
  }
  // A client that disconnects is not an error.
  else await pipeline(content, response).catch(() => response.destroy());
}

/** Each encoding has its own tag, because its bytes differ. */
const entityTag = (file: ServedFile, encoding: Encoding): string =>
  `"${file.sha256.slice(0, 32)}${encoding === "identity" ? "" : `-${encoding}`}"`;
