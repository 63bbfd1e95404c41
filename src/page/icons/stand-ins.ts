import standIns from "./stand-ins.json" with { type: "json" };

/**
 * Icons of Font Awesome Pro that documentation often uses, and the nearest free icon. Other Pro icons are searched by
 * their name in the other sets. A map, because pages choose the names, and an object has names of its own.
 */
export const proStandIns: ReadonlyMap<string, string> = new Map(Object.entries(standIns));

/** `circle-1`, `square-k`: for all letters and digits. */
export function signStandIn(name: string): string | undefined {
  const match = /^(circle|square)-([a-z]|\d)$/.exec(name);
  return match ? `tabler:${match[1]}-${/\d/.test(match[2]!) ? "number" : "letter"}-${match[2]}` : undefined;
}

/** Names of Font Awesome 4 that the set no longer knows. */
export const formerNames: ReadonlyMap<string, string> = new Map([
  ["envelope-o", "envelope"],
  ["picture-o", "image"],
  ["photo", "image"],
]);
