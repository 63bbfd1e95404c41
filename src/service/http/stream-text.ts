/** Time without a chunk after which a keep-alive is sent, in milliseconds. */
const defaultKeepAliveMs = 10_000;

/** A text that is written while it is sent. */
export interface TextChunks {
  readonly chunks: AsyncGenerator<string>;
  /** Sent while nothing else is, so that proxies keep the connection open. */
  readonly keepAlive: string;
  readonly keepAliveMs?: number;
  /** Runs once: the chunks have ended, or the reader has left. */
  readonly onClose: () => void;
}

/**
 * Streams chunks as the reader takes them: a slow reader slows the chunks down.
 *
 * Fails: if the chunks fail, the stream breaks, so that the connection is reset.
 */
export function streamText(text: TextChunks): ReadableStream<Uint8Array> {
  const { chunks, keepAlive, keepAliveMs = defaultKeepAliveMs } = text;
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined;
  let isOpen = true;
  const onClose = (): void => {
    if (isOpen) text.onClose();
    isOpen = false;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          next ??= chunks.next();
          const chunk = await within(next, keepAliveMs);
          if (!isOpen) return;
          if (chunk === undefined) return controller.enqueue(encoder.encode(keepAlive));
          next = undefined;
          if (!chunk.done) return controller.enqueue(encoder.encode(chunk.value));
          onClose();
          controller.close();
        } catch (error) {
          onClose();
          controller.error(error);
        }
      },
      cancel() {
        onClose();
        // Not awaited: the chunks may wait for an upstream that has just been aborted.
        void chunks.return(undefined).catch(() => {});
      },
    },
    // Do not pull before the first read.
    { highWaterMark: 0 },
  );
}

/** Undefined after `ms`. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

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
