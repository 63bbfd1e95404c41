import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type GuardedOptions, guardedRequest, type Refused } from "./guarded-request.js";
import { Refusal } from "./refusal.js";

export interface GuardedFetchOptions extends GuardedOptions {
  /** `POST` takes any 2xx for an answer and follows no redirect; `GET` takes 200 alone. */
  readonly method?: "GET" | "POST";
  /** Not sent on to another origin by a redirect. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Of what was sent once it is decompressed. */
  readonly maxBytes?: number;
}
export const guardedFetchDefaults = {
  timeoutMs: 20_000,
  maxBytes: 32 * 1024 * 1024,
  maxRedirects: 5,
} as const satisfies Partial<GuardedFetchOptions>;

export type FetchOutcome = { readonly ok: true; readonly text: string } | Refused;

/**
 * Fetches a text that a site names by its address, or tells one something.
 *
 * In:    an https:// address without a user name. What it is redirected to must be one too, and is checked the same way.
 * Out:   the text, as UTF-8. Nothing is sent but what the caller gave: no cookies, no credentials.
 * Fails: with a reason, never thrown: if a name leads to any address that is not public, if there is no answer in time,
 *        if it is not the wanted one, or too large.
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
