import type { Place } from "./diagnostic.js";

/** What a configuration tells of its places: the file it was read from, and where single settings stand. */
export interface SettingPlaces {
  readonly sourcePath: string;
  /** By the way to a setting: `background.image.dark`, `fonts.source`. */
  readonly places: ReadonlyMap<string, Place>;
}

/** Where a setting was written, or else the nearest one around it: a pair may be written as one text. */
export function placeOfSetting({ sourcePath, places }: SettingPlaces, way: string): Place {
  for (let at = way; at !== ""; at = at.replace(/(?:\.|\[|^)[^.[]*$/, "")) {
    const place = places.get(at);
    if (place) return place;
  }
  return { sourcePath };
}
