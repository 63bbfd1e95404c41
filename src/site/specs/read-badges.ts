import { isObject, type Json, listAt, textAt } from "../../lib/json/index.js";

/** A word or two next to the name of an operation or a field. */
export interface SpecBadge {
  readonly name: string;
  /** As written: a name, or a value of CSS. */
  readonly color?: string;
}

/** Extensions whose text is the state of a part: `beta`, `Preview`. */
const stateKeys = ["x-scalar-stability", "x-stability", "x-stability-level", "x-maturity", "x-status"];

const maxLength = 80;

/** The badges of a part: `x-badges`, then what other extensions say of its state; each text once. */
export function readBadges(part: Json | undefined): readonly SpecBadge[] {
  if (!isObject(part)) return [];
  const written = listAt(part, "x-badges").flatMap((badge): SpecBadge[] => {
    const name = (typeof badge === "string" ? badge : textAt(badge, "name"))?.trim();
    const color = textAt(badge, "color")?.trim();
    return name ? [{ name, ...(color && { color }) }] : [];
  });
  const states = stateKeys.flatMap((key): SpecBadge[] => {
    const name = textAt(part, key)?.trim();
    return name && name.length <= maxLength ? [{ name }] : [];
  });
  const isBeta = part["x-beta"] === true ? [{ name: "beta" }] : [];
  const byText = new Map<string, SpecBadge>();
  for (const badge of [...written, ...states, ...isBeta]) {
    const key = badge.name.toLowerCase();
    if (!byText.has(key)) byText.set(key, badge);
  }
  return [...byText.values()];
}
