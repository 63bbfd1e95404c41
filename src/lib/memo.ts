/** Calls `make` at the first call, and returns its value at every call. */
export function lazy<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

const maxCached = 10_000;

/** Caches the results of a function that is called with the same keys many times. */
export function remembered<Result>(make: (key: string) => Result): (key: string) => Result {
  const results = new Map<string, Result>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) {
      if (results.size >= maxCached) results.clear();
      result = make(key);
      results.set(key, result);
    }
    return result;
  };
}

/** Caches the result for each object as long as the object exists. */
export function rememberedFor<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) {
      result = make(key);
      results.set(key, result);
    }
    return result;
  };
}

/** Returns the value of a key, and makes it unless it is cached. */
export type Recent<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

/** Caches the `limit` most recently used values. A value that fails is made again. */
export function createRecent<Value>(limit: number): Recent<Value> {
  const values = new Map<string, Promise<Value>>();
  return (key, make) => {
    const cached = values.get(key);
    const value = cached ?? make();
    if (cached !== undefined) values.delete(key);
    values.set(key, value);
    if (cached !== undefined) return value;
    value.catch(() => values.delete(key));
    if (values.size > limit) values.delete(values.keys().next().value!);
    return value;
  };
}

/** Caches the value made for each key. Above `limit` keys, the oldest value is dropped. */
export function createMemo<T>(limit = Number.POSITIVE_INFINITY): (key: string | number, make: () => T) => T {
  const values = new Map<string | number, T>();
  return (key, make) => {
    const cached = values.get(key);
    if (cached !== undefined) return cached;
    const value = make();
    if (values.size >= limit) values.delete(values.keys().next().value!);
    values.set(key, value);
    return value;
  };
}
