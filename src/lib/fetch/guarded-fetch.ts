import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type GuardedOptions, guardedRequest, type Refused } from "./guarded-request.js";
import { Refusal } from "./refusal.js";

export interface GuardedFetchOptions extends GuardedOptions {
  /** `POST` accepts any 2xx and follows no redirect; `GET` accepts only 200. */
  readonly method?: "GET" | "POST";
  /** Dropped when a redirect leads to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Size after decompression. */
  readonly maxBytes?: number;
}
export const guardedFetchDefaults = {
  timeoutMs: 20_000,
  maxBytes: 32 * 1024 * 1024,
  maxRedirects: 5,
} as const satisfies Partial<GuardedFetchOptions>;

export type FetchOutcome = { readonly ok: true; readonly text: string } | Refused;

/**
 * Fetches a text, or posts one.
 *
 * In:    an https:// address without a user name. Redirects are checked by the same rules.
 * Out:   the text, as UTF-8. Only what the caller gave is sent: no cookies, no credentials.
 * Fails: with a reason, never thrown: the host has an address that is not public, the answer is late, too large, or has
 *        another status.
 * Stops: once `signal` aborts, rejects with its reason.
 */
export function guardedFetch(
  url: string,
  options: GuardedFetchOptions = {},
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  const { maxBytes, method = "GET", headers = {}, ...rest } = { ...guardedFetchDefaults, ...options };
  const request = { ...rest, method, headers: { ...textHeaders, ...headers } };
  return guardedRequest<FetchOutcome>(
    url,
    request,
    async (answer, stop) => ({ ok: true, text: await textOf(answer, maxBytes, stop) }),
    signal,
  );
}

const textHeaders = {
  accept: "application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
};

async function textOf(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<string> {
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
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\ufeff/, "");
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
