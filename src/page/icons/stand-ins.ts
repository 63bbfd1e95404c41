import standInNames from "./stand-ins.json" with { type: "json" };

/**
 * Icons that the installed sets lack (of Font Awesome Pro, Heroicons, Material, Phosphor, Bootstrap), and the nearest
 * free icon: a name of Font Awesome, or `set:name`. A map, because pages choose the names, and an object has names of
 * its own.
 */
export const standIns: ReadonlyMap<string, string> = new Map(
  Object.entries(standInNames).flatMap(([target, names]) => names.split(" ").map((name) => [name, target] as const)),
);

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
