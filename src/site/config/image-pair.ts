import type { LightDark } from "./site-config.js";

/** The files of a pair, each once, with the first colour mode that uses it. */
export function filesOfPair(pair: LightDark | undefined): (readonly ["light" | "dark", string])[] {
  if (pair === undefined) return [];
  const light = ["light", pair.light] as const;
  return pair.light === pair.dark ? [light] : [light, ["dark", pair.dark]];
}
