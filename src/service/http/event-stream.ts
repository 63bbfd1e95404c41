import { streamText } from "../assistant/index.js";

export interface EventStream {
  /** Server-sent events, until they end or `signal` aborts. */
  readonly events: (signal: AbortSignal) => AsyncGenerator<string>;
  /** End the stream: the client has left, or the server closes. */
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Whether the session or key of the stream is still valid. Asked every 10 seconds. */
  readonly isAllowed: () => Promise<boolean>;
  /** Default: 10 seconds. */
  readonly keepAliveMs?: number;
}

const checkMs = 10_000;

/**
 * Opens streams of server-sent events, at most `maxStreams` at a time. A stream does not outlive the session or key that it
 * was opened with. It stays open while the database cannot say whether they are valid.
 *
 * @returns undefined if too many streams are open, or if one of the signals has aborted.
 */
export function createEventStreams(maxStreams: number) {
  let count = 0;
  return ({ events, signals, isAllowed, keepAliveMs }: EventStream): Response | undefined => {
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, ...signals.filter((each) => each !== undefined)]);
    if (count >= maxStreams || signal.aborted) return undefined;
    count++;
    const check = setInterval(() => {
      isAllowed().then(
        (allowed) => allowed || end.abort(),
        () => {},
      );
    }, checkMs).unref();
    const close = (): void => {
      count--;
      clearInterval(check);
    };
    signal.addEventListener("abort", close, { once: true });
    const body = streamText({
      chunks: events(signal),
      keepAlive: ": keep-alive\n\n",
      keepAliveMs,
      onClose: () => end.abort(),
    });
    return new Response(body, {
      headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
    });
  };
}
