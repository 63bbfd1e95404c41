/** A copy without the keys that are undefined, so that "absent" has one form. */
export function withoutUndefined<T extends object>(value: T): T {
  const given: Partial<T> = {};
  for (const key in value) if (value[key] !== undefined) given[key] = value[key];
  return given as T;
}
