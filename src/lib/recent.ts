/** Gives the value of a key, and makes it if it is not among those used last. */
export type Recent<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

/** Keeps at most `limit` values in memory, without failed ones. */
export function createRecent<Value>(limit: number): Recent<Value> {
  const kept = new Map<string, Promise<Value>>();
  return (key, make) => {
    const known = kept.get(key);
    const value = known ?? make();
    if (known !== undefined) kept.delete(key);
    kept.set(key, value);
    if (known !== undefined) return value;
    value.catch(() => kept.delete(key));
    if (kept.size > limit) kept.delete(kept.keys().next().value!);
    return value;
  };
}
