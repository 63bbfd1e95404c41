import type { IncomingMessage } from "node:http";
import { pipeline, Readable, Transform } from "node:stream";
import { type GuardedOptions, guardedRequest } from "./guarded-request.js";
import { Refusal } from "./target.js";

export interface GuardedStreamOptions extends Omit<GuardedOptions, "maxRedirects"> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Size as sent. */
  readonly maxBytes: number;
  /** For the whole answer, last byte included. */
  readonly timeoutMs: number;
}

/**
 * Posts a text, and gives the answer while it arrives.
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
