const places = ["path", "query", "body", "header", "cookie"] as const;

/** Where a request carries a field. */
export type FieldLocation = (typeof places)[number];

/** Name and place of a `ParamField`: `query="limit"`, or in the older form `path="query.limit"`. */
export function fieldLocationOf(props: Readonly<Record<string, unknown>>): {
  readonly name?: string;
  readonly place?: FieldLocation;
} {
  const place = places.find((each) => props[each] !== undefined);
  const written = props[place ?? "name"];
  if (typeof written !== "string") return place === undefined ? {} : { place };
  const older = places.find((each) => place === "path" && written.startsWith(`${each}.`));
  if (older !== undefined) return { name: written.slice(older.length + 1), place: older };
  return place === undefined ? { name: written } : { name: written, place };
}
