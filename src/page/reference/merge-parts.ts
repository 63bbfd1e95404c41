import { isContainer, type Json, member } from "../../lib/json/index.js";

/** Adds to the map, which is created with its first entry. */
export function pushed(known: Map<string, Json[]> | undefined, name: string, schema: Json): Map<string, Json[]> {
  const map = known ?? new Map<string, Json[]>();
  const schemas = map.get(name);
  if (schemas) schemas.push(schema);
  else map.set(name, [schema]);
  return map;
}

/** Types in both lists; an integer is a number. */
export function bothTypes(a: readonly string[], b: readonly string[]): string[] {
  const common = a.flatMap((type) => {
    if (b.includes(type)) return [type];
    if (type === "number" && b.includes("integer")) return ["integer"];
    return type === "integer" && b.includes("number") ? ["integer"] : [];
  });
  return common.length > 0 ? common : [...a];
}

/** What is written about a value of an enumeration: in a map from values to texts, or a list in the order of the values. */
export function enumNote(written: Json | undefined, value: Json, at: number): string | undefined {
  const found = Array.isArray(written)
    ? (written[at] as Json | undefined)
    : isContainer(value)
      ? undefined
      : member(written, typeof value === "string" ? value : JSON.stringify(value));
  return typeof found === "string" && found.trim() !== "" ? found.trim() : undefined;
}
