import { createHash, randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline, Readable, Transform } from "node:stream";
import { type GuardedOptions, guardedRequest, LocalFault, type Refused } from "./guarded-request.js";
import { Refusal } from "./target.js";

export interface GuardedDownloadOptions extends GuardedOptions {
  /** Size as sent, before decompression. */
  readonly maxBytes?: number;
  /** Longest pause between two chunks, in milliseconds. */
  readonly idleMs?: number;
}
export const guardedDownloadDefaults = {
  timeoutMs: 15 * 60_000,
  idleMs: 30_000,
  maxBytes: 4 * 1024 * 1024 * 1024,
  maxRedirects: 5,
} as const satisfies Partial<GuardedDownloadOptions>;

export type DownloadOutcome =
  | {
      readonly ok: true;
      readonly bytes: number;
      /** Lower-case hex. */
      readonly sha256: string;
    }
  | Refused;

/**
 * Downloads an address into the file at `path`, by the rules of `guardedFetch`.
 *
 * Out:   the bytes as sent, even if the server declares an encoding. The write is atomic: the file is complete or
 *        unchanged.
 * Fails: with a reason that contains only the host of the address, so that a signed link stays secret. Throws if the
 *        file cannot be written.
 * Stops: once `signal` aborts, rejects with its reason and leaves no file.
 */
export function guardedDownload(
  url: string,
  path: string,
  options: GuardedDownloadOptions = {},
  signal?: AbortSignal,
): Promise<DownloadOutcome> {
  const { maxBytes, ...rest } = { ...guardedDownloadDefaults, ...options };
  const headers = { accept: "*/*", "accept-encoding": "identity" };
  return guardedRequest<DownloadOutcome>(
    url,
    { ...rest, method: "GET", headers },
    (answer, stop) => saved(answer, path, maxBytes, stop),
    signal,
  );
}

async function saved(
  answer: IncomingMessage,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  const tooLarge = (): Refusal => new Refusal(`it is larger than ${maxBytes} bytes`);
  if (Number(answer.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const part = `${path}.${randomBytes(6).toString("hex")}.part`;
  const local = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      throw new LocalFault(new Error(`"${path}" could not be written`, { cause }));
    });
  const file = await local(open(part, "wx"));
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      hash.update(chunk);
      await local(file.writeFile(chunk));
    }
    await local(file.sync());
    await local(file.close());
    await local(rename(part, path));
    return { ok: true, bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close().catch(() => {});
    await rm(part, { force: true });
  }
}

export interface GuardedStreamOptions extends Omit<GuardedOptions, "maxRedirects"> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Size as sent. */
  readonly maxBytes: number;
  /** Time limit of the whole answer, last byte included, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Posts a text, and returns the answer while it arrives.
 *
 * Out:   an answer of any status, since its body may explain the failure. A redirect is not followed.
 * Fails: rejects with a reason if no host answers or its address is not allowed. The body fails if it is too large, late
 *        or cut off.
 * Stops: once `signal` aborts or the body is cancelled, the connection is closed.
 */
export function guardedStream(url: string, options: GuardedStreamOptions, signal?: AbortSignal): Promise<Response> {
  const { maxBytes, ...rest } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const headers = { accept: "text/event-stream, application/json", ...rest.headers, "accept-encoding": "identity" };
  guardedRequest(
    url,
    { ...rest, method: "POST", headers, maxRedirects: 0, acceptsAnyStatus: true },
    async (answer, stop) => {
      const ended = Promise.withResolvers<void>();
      stop.addEventListener("abort", () => ended.resolve(), { once: true });
      resolve(
        responseOf(
          answer,
          pipeline(answer, limitTo(maxBytes), () => ended.resolve()),
        ),
      );
      await ended.promise;
      return { ok: true } as const;
    },
    signal,
  ).then((outcome) => outcome.ok || reject(new Refusal(outcome.reason, outcome.status)), reject);
  return promise;
}

function responseOf(answer: IncomingMessage, body: Transform): Response {
  const { statusCode: status = 0, headers } = answer;
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new Refusal(`its content is encoded as "${encoding}"`);
  const passed = ["content-type", "retry-after"].flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array<ArrayBuffer>>, {
    status,
    headers: Object.fromEntries(passed),
  });
}

function limitTo(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new Refusal(`it is larger than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}
