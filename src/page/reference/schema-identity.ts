import { isObject, type Json, type JsonObject, listAt, member } from "../../lib/json/index.js";
import type { References } from "./references.js";

const maxWrappers = 60;

/** The schema inside its wrappers: references, `allOf` with one entry, "this or null". */
export function identityOf(schemas: readonly Json[], references: References): object | undefined {
  let current: Json | undefined = schemas[0];
  for (let step = 0; step < maxWrappers; step++) {
    current = references.follow(current);
    if (!isObject(current)) return undefined;
    const inner = wrappedIn(current);
    if (inner === undefined) return current;
    current = inner;
  }
  return undefined;
}

/** With one of these a schema says more than what it wraps. */
const ownKeywords = new Set(
  "properties items prefixItems additionalProperties patternProperties unevaluatedProperties unevaluatedItems if not contains propertyNames dependentRequired dependentSchemas dependencies".split(
    " ",
  ),
);

function wrappedIn(schema: JsonObject): Json | undefined {
  let hasParts = false;
  for (const keyword in schema) {
    if (ownKeywords.has(keyword)) return undefined;
    hasParts ||= keyword === "allOf" || keyword === "oneOf" || keyword === "anyOf";
  }
  if (!hasParts) return undefined;
  const [part, ...otherParts] = listAt(schema, "allOf");
  const isUnion = Object.hasOwn(schema, "oneOf") || Object.hasOwn(schema, "anyOf");
  if (part !== undefined && otherParts.length === 0 && !isUnion) return part;
  if (part !== undefined) return undefined;
  const options = [...listAt(schema, "oneOf"), ...listAt(schema, "anyOf")];
  const [option, ...otherOptions] = options.filter((each) => member(each, "type") !== "null");
  return option !== undefined && otherOptions.length === 0 ? option : undefined;
}
