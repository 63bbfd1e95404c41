/** Keeps what was made for a key. Beyond `limit` keys the oldest is forgotten, and made again when asked for. */
export function createMemo<T>(limit = Number.POSITIVE_INFINITY): (key: string | number, make: () => T) => T {
  const kept = new Map<string | number, T>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (kept.size >= limit) kept.delete(kept.keys().next().value!);
    kept.set(key, made);
    return made;
  };
}
