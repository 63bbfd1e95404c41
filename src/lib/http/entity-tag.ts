/**
 * Whether an `If-None-Match` header names an entity tag, also as one that something on the way has made weak.
 *
 * @param header undefined or null where there is none.
 */
export const namesTag = (header: string | null | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === tag);
