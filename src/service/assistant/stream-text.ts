/** Time without a chunk after which a keep-alive is sent, in milliseconds. */
const defaultKeepAliveMs = 10_000;

export interface StreamTextOptions {
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
export function streamText(chunks: AsyncGenerator<string>, options: StreamTextOptions): ReadableStream<Uint8Array> {
  const { keepAlive, keepAliveMs = defaultKeepAliveMs } = options;
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) options.onClose();
    isOpen = false;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        next ??= chunks.next();
        const chunk = await within(next, keepAliveMs);
        if (!isOpen) return;
        if (chunk === undefined) return controller.enqueue(encoder.encode(keepAlive));
        next = undefined;
        if (!chunk.done) return controller.enqueue(encoder.encode(chunk.value));
        close();
        controller.close();
      } catch (error) {
        close();
        controller.error(error);
      }
    },
    cancel() {
      close();
      // Not awaited: the chunks may wait for an upstream that has just been aborted.
      void chunks.return(undefined).catch(() => {});
    },
  });
}

/** Undefined after `ms`. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
