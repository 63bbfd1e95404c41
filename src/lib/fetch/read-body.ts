import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Refusal } from "./refusal.js";

/** What `readBody` can decompress, for the header of a request. */
export const acceptedEncodings = "gzip, deflate, br";

/** The body of an answer, decompressed. @throws {Refusal} if it has more than `maxBytes` bytes or another encoding. */
export async function readBody(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const body = decompressed(answer);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      size += chunk.length;
      if (size > maxBytes) throw new Refusal(`it is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
      chunks.push(chunk);
    }
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks);
}

function decompressed(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity") return answer;
  const unpack = unpackers.get(encoding)?.();
  if (!unpack) throw new Refusal(`its content is encoded as "${encoding}"`);
  answer.on("error", (error) => unpack.destroy(error));
  return answer.pipe(unpack);
}

const unpackers = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);
