/** Nobody waits longer for new requests, in milliseconds. */
const longestWaitMs = 100;

/**
 * Waits until no new requests come. Then one of those that wait goes on in each turn of the event loop, so that many readers
 * see the beginning of their answers before one sees all of it.
 */
export function createGiveWay(mostWaitMs = longestWaitMs): () => Promise<void> {
  const waiting: { readonly since: number; readonly goOn: () => void }[] = [];
  let hasNew = false;
  const next = (): void => {
    if (!hasNew || performance.now() - waiting[0]!.since >= mostWaitMs) waiting.shift()!.goOn();
    hasNew = false;
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((goOn) => {
      hasNew = true;
      if (waiting.push({ since: performance.now(), goOn }) === 1) setImmediate(next);
    });
}
