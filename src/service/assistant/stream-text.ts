/** Time without a chunk after which a keep-alive is sent, in milliseconds. */
export const defaultKeepAliveMs = 10_000;

/** A text that is made while it is sent. */
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
    // No chunk is taken before somebody reads.
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
