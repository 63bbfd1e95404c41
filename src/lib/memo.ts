/** Makes a value at the first call, and gives the same one at every call. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const maxCached = 10_000;

/** Keeps the results of a function that is asked for the same ones many times. */
export function remembered<Result>(make: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>();
  return (key) => {
    let result = known.get(key);
    if (result === undefined) {
      if (known.size >= maxCached) known.clear();
      result = make(key);
      known.set(key, result);
    }
    return result;
  };
}

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
