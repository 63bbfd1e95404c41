/** `read` at most once within `lifeMs`, however often and from however many requests it is asked; faults are not kept. */
export function remembered<T>(read: () => Promise<T>, lifeMs: number, now: () => number): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last && now() - last.at < lifeMs) return last.value;
    const value = read();
    const asked = { at: now(), value };
    last = asked;
    value.catch(() => {
      if (last === asked) last = undefined;
    });
    return value;
  };
}
