import type { Location } from "../../lib/diagnostic/index.js";
import { type JsonObject, type JsonValue, locationOf } from "./json-value.js";

/**
 * Where settings that later stages report on were written, also in files that docs.json refers to: by the path of each
 * value (`background.image.dark`, `styling.codeblocks.languages.custom[0]`). Redirects and navigation may be large and
 * hold their locations themselves.
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
/** The map is cloned to every thread; no real site has so many of these settings. */
const maxLocations = 1000;
