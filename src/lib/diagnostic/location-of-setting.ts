import type { Location } from "./diagnostic.js";

/** What a configuration tells of its places: the file it was read from, and where single settings stand. */
export interface SettingLocations {
  readonly sourcePath: string;
  /** By the way to a setting: `background.image.dark`, `fonts.source`. */
  readonly locations: ReadonlyMap<string, Location>;
}

/** Where a setting was written, or else the nearest one around it: a pair may be written as one text. */
export function locationOfSetting({ sourcePath, locations }: SettingLocations, way: string): Location {
  for (let at = way; at !== ""; at = at.replace(/(?:\.|\[|^)[^.[]*$/, "")) {
    const location = locations.get(at);
    if (location) return location;
  }
  return { sourcePath };
}
