/** Time between two keep-alives, while there are no chunks. */
const defaultKeepAliveMs = 10_000;

/** A text that is written while it is sent. */
export interface TextChunks {
  /** Sent with the head of the response. */
  readonly start?: string;
  readonly chunks: AsyncGenerator<string>;
  /** Sent while there are no chunks, so that proxies keep the connection open. */
  readonly keepAlive: string;
  readonly keepAliveMs?: number;
  /** Runs once, when the chunks have ended or the reader has left. */
  readonly onClose: () => void;
}

/**
 * Streams chunks as fast as the reader takes them.
 *
 * Fails: if the chunks fail, so does the stream, and the connection is reset.
 */
export function streamText(text: TextChunks): ReadableStream<Uint8Array> {
  const { start, chunks, keepAlive, keepAliveMs = defaultKeepAliveMs } = text;
  const encoder = new TextEncoder();
  let isOpen = true;
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  const onClose = (): void => {
    clearInterval(timer);
    if (isOpen) text.onClose();
    isOpen = false;
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The server has it when it is about to write the head, so that both need one write.
        if (start !== undefined) controller.enqueue(encoder.encode(start));
        // One timer for the whole stream: many answers begin at once, and most of their chunks come within milliseconds.
        timer = setInterval(() => {
          if (isWaiting && controller.desiredSize === 0) controller.enqueue(encoder.encode(keepAlive));
        }, keepAliveMs).unref();
      },
      async pull(controller) {
        try {
          isWaiting = true;
          const chunk = await chunks.next();
          isWaiting = false;
          if (!isOpen) return;
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
        // Not awaited, since the chunks may wait for an upstream that has just been aborted.
        void chunks.return(undefined).catch(() => {});
      },
    },
    // Do not pull before the first read.
    { highWaterMark: 0 },
  );
}

export interface EventStream {
  /** Server-sent events, until they end or `signal` aborts. */
  readonly events: (signal: AbortSignal) => AsyncGenerator<string>;
  /** Abort when the client has left, or when the server closes. */
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
    const signal = AbortSignal.any([end.signal, ...signals.filter((signal) => signal !== undefined)]);
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
