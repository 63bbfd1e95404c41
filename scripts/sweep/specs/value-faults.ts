// Does a value fit a schema? Only what a wrong sample gets wrong: types, required members, values of an enum.
import { isRecord, listOf, recordOf, type Source, textOf, type Value } from "./source-files.ts";

/** Where and what is wrong ("a.b: no string"); undefined if the value fits, as far as this looks. */
export function faultOfValue(
  value: Value,
  written: Value | undefined,
  source: Source,
  path = "",
  depth = 0,
): string | undefined {
  const schema = source.resolve(written);
  if (!isRecord(schema) || depth > 6) return undefined;
  const here = path === "" ? "the body" : path;
  // An author's own value is sent as it is written.
  const given = [schema["default"], schema["example"], recordOf(written)["example"], ...listOf(schema["examples"])];
  if (given.some((each) => JSON.stringify(each) === JSON.stringify(value))) return undefined;
  const types = listOf(
    Array.isArray(schema["type"]) ? schema["type"] : schema["type"] === undefined ? [] : [schema["type"]],
  ).map(textOf);
  if (value === null) return undefined;
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `${here}: ${JSON.stringify(value).slice(0, 60)} is no ${types.join(" or ")}`;
  const values = listOf(schema["enum"]);
  if (values.length > 0 && typeof value !== "object" && !values.includes(value))
    return `${here}: ${String(value)} is no option`;
  for (const part of listOf(schema["allOf"])) {
    const fault = faultOfValue(value, part, source, path, depth + 1);
    if (fault !== undefined) return fault;
  }
  for (const key of ["oneOf", "anyOf"]) {
    const faults = listOf(schema[key]).map((part) => faultOfValue(value, part, source, path, depth + 1));
    if (faults.length > 0 && !faults.includes(undefined)) return faults[0];
  }
  if (Array.isArray(value)) {
    // What a list begins with has schemas of its own.
    const first = listOf(schema["prefixItems"]).length;
    for (const [i, item] of value.entries()) {
      if (i < first) continue;
      const fault = Array.isArray(schema["items"])
        ? undefined
        : faultOfValue(item, schema["items"], source, `${path}[${i}]`, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const properties = recordOf(schema["properties"]);
  for (const name of listOf(schema["required"]).map(textOf)) {
    const property = recordOf(source.resolve(properties[name]));
    if (!(name in value) && property["readOnly"] !== true && name in properties) return `${here}: ${name} is required`;
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || !Object.hasOwn(properties, name)) continue;
    const fault = faultOfValue(member, properties[name], source, path === "" ? name : `${path}.${name}`, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isOfType(value: Value, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "string" || type === "number" || type === "boolean") return typeof value === type;
  return true;
}
