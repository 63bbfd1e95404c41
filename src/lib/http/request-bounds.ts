/** The bytes of a body; undefined as soon as there are more than `maxBytes`. */
export async function readBody(body: Request["body"], maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The most names in memory; above it, the least recently used one is dropped. */
const maxNames = 50_000;

/**
 * Limits uses by name, in this process, within `windowMs` from the first use.
 *
 * @returns a function that returns the seconds to wait; 0 if the uses are within `limit` and were counted.
 */
export function createUseLimit(limit: number, windowMs: number, now: () => number) {
  const windows = new Map<string, { readonly since: number; uses: number }>();
  return (name: string, uses: number): number => {
    const last = windows.get(name);
    const window = last && Math.abs(now() - last.since) < windowMs ? last : { since: now(), uses: 0 };
    if (window.uses + uses > limit) return Math.max(1, Math.ceil((window.since + windowMs - now()) / 1000));
    window.uses += uses;
    windows.delete(name);
    windows.set(name, window);
    if (windows.size > maxNames) windows.delete(windows.keys().next().value!);
    return 0;
  };
}
