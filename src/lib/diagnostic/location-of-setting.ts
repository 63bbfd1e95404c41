import type { Location } from "./diagnostic.js";

/** Where a configuration and its settings were written. */
export interface SettingLocations {
  readonly sourcePath: string;
  /** By the path of a setting: `background.image.dark`, `fonts.source`. */
  readonly locations: ReadonlyMap<string, Location>;
}

/** Where a setting was written, or else the nearest setting around it: a pair may be written as one text. */
export function locationOfSetting({ sourcePath, locations }: SettingLocations, way: string): Location {
  for (let at = way; at !== ""; at = at.replace(/(?:\.|\[|^)[^.[]*$/, "")) {
    const location = locations.get(at);
    if (location) return location;
  }
  return { sourcePath };
}
