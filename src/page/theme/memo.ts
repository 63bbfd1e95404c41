/** Keeps the value made for each key. Above `limit` keys the oldest is dropped, and made again on demand. */
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
