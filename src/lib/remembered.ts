const mostKnown = 10_000;

/** Keeps the results of a function that is asked for the same ones many times. */
export function remembered<Result>(make: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>();
  return (key) => {
    let result = known.get(key);
    if (result === undefined) {
      if (known.size >= mostKnown) known.clear();
      result = make(key);
      known.set(key, result);
    }
    return result;
  };
}
