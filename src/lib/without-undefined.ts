/** A copy without the keys that are undefined, so that an absent value has only one form. */
export function withoutUndefined<T extends object>(value: T): T {
  const copy: Partial<T> = {};
  for (const key in value) if (value[key] !== undefined) copy[key] = value[key];
  return copy as T;
}
