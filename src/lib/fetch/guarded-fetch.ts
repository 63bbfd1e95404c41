import { type GuardedOptions, guardedRequest, type Refused } from "./guarded-request.js";
import { acceptedEncodings, readBody } from "./read-body.js";

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
    async (answer, stop) => ({ ok: true, text: textOf(await readBody(answer, maxBytes, stop)) }),
    signal,
  );
}

const textHeaders = {
  accept: "application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.5",
  "accept-encoding": acceptedEncodings,
};

const textOf = (bytes: Buffer): string => bytes.toString("utf8").replace(/^\ufeff/, "");

export interface FetchedBytes {
  readonly ok: true;
  readonly bytes: Buffer;
  /** Where the answer came from, after all redirects. */
  readonly url: string;
}
export type BytesOutcome = FetchedBytes | Refused;

/** Fetches a file into memory, by the rules of `guardedFetch`. The bytes are decompressed. */
export function guardedBytes(
  url: string,
  options: Pick<GuardedFetchOptions, keyof GuardedOptions | "maxBytes"> = {},
  signal?: AbortSignal,
): Promise<BytesOutcome> {
  const { maxBytes, ...rest } = { ...guardedFetchDefaults, ...options };
  const headers = { accept: "*/*", "accept-encoding": acceptedEncodings };
  return guardedRequest<BytesOutcome>(
    url,
    { ...rest, method: "GET", headers },
    async (answer, stop, { href }) => ({ ok: true, bytes: await readBody(answer, maxBytes, stop), url: href }),
    signal,
  );
}
