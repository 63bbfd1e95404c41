import type { Location } from "../../lib/diagnostic/index.js";
import { type JsonObject, type JsonValue, locationOf } from "./json-value.js";

/**
 * Settings that later stages report on: for each value in them, the way to it (`background.image.dark`,
 * `styling.codeblocks.languages.custom[0]`) and where it was written, be it in a file that docs.json refers to. Redirects
 * and navigation, which may be large, carry their places themselves.
 */
export function settingLocations(root: JsonObject): ReadonlyMap<string, Location> {
  const locations = new Map<string, Location>();
  const add = (value: JsonValue, way: string): void => {
    if (locations.size >= maxLocations) return;
    locations.set(way, locationOf(value));
    if (value.kind === "object") for (const { name, value: each } of value.members) add(each, `${way}.${name}`);
    if (value.kind === "array") for (const [index, each] of value.items.entries()) add(each, `${way}[${index}]`);
  };
  for (const { name, value } of root.members) if (reported.has(name)) add(value, name);
  return locations;
}

const reported: ReadonlySet<string> = new Set(["logo", "favicon", "fonts", "background", "styling", "errors", "seo"]);
/** They are cloned to every thread; no site writes so many of these settings. */
const maxLocations = 1000;
