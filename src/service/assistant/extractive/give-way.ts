/**
 * Waits until new requests have been read. Of several that wait, one goes on in each turn of the event loop, so that many
 * readers see the beginning of their answers before one sees all of it.
 */
export function createGiveWay(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()!();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
}
