/** Whether an `If-None-Match` header names an entity tag, weak or not: proxies make tags weak. */
export const namesTag = (header: string | null | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === tag);
