import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type GuardedOptions, guardedRequest, type Refused } from "./guarded-request.js";
import { Refusal } from "./target.js";

export interface GuardedFetchOptions extends GuardedOptions {
  /** `POST` accepts any 2xx and follows no redirect; `GET` accepts only 200. */
  readonly method?: "GET" | "POST";
  /** Dropped when a redirect leads to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Size after decompression. */
  readonly maxBytes?: number;
}
const guardedFetchDefaults = {
  timeoutMs: 20_000,
  maxBytes: 32 * 1024 * 1024,
  maxRedirects: 5,
} as const satisfies Partial<GuardedFetchOptions>;

export type FetchOutcome = { readonly ok: true; readonly text: string } | Refused;

/**
 * Fetches a text, or posts one.
 *
 * In:    an https:// address without a user name. Redirects are checked by the same rules.
 * Out:   the text, as UTF-8. The request contains only what the caller passes: no cookies, no credentials.
 * Fails: with a reason, never thrown: the host has an address that is not public, the answer is late, too large, or has
 *        another status.
 * Stops: once `signal` aborts, rejects with its reason.
 */
export async function guardedFetch(
  url: string,
  options: GuardedFetchOptions = {},
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  const outcome = await guardedBytes(
    url,
    { ...options, headers: { accept: acceptedTexts, ...options.headers } },
    signal,
  );
  return outcome.ok ? { ok: true, text: outcome.bytes.toString("utf8").replace(/^\ufeff/, "") } : outcome;
}

const acceptedTexts = "application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.5";

interface FetchedBytes {
  readonly ok: true;
  readonly bytes: Buffer;
  /** Where the answer came from, after all redirects. */
  readonly url: string;
}
export type BytesOutcome = FetchedBytes | Refused;

/** Fetches a file into memory, by the rules of `guardedFetch`. The bytes are decompressed. */
export function guardedBytes(
  url: string,
  options: GuardedFetchOptions = {},
  signal?: AbortSignal,
): Promise<BytesOutcome> {
  const { maxBytes, method = "GET", headers, ...rest } = { ...guardedFetchDefaults, ...options };
  return guardedRequest<BytesOutcome>(
    url,
    { ...rest, method, headers: { accept: "*/*", "accept-encoding": "gzip, deflate, br", ...headers } },
    async (answer, stop, { href }) => ({ ok: true, bytes: await readBody(answer, maxBytes, stop), url: href }),
    signal,
  );
}

/** The body of an answer, decompressed. @throws {Refusal} if it has more than `maxBytes` bytes or another encoding. */
async function readBody(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
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
