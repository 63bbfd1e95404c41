/** Reading of data whose shape is not known. */

export type Data = Readonly<Record<string, unknown>>;

export const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as an object; an empty one for anything else. */
export const dataOf = (value: unknown): Data => (isData(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text that is not empty; numbers and booleans as written. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The own member at a path, such as `themeConfig.navbar.title`. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) found = isData(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** Without the members that are undefined. */
export const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
