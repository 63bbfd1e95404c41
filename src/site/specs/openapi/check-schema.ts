import { nearestName, spelledAlike } from "../../../lib/diagnostic/index.js";
import {
  entriesAt,
  followReferences,
  isContainer,
  type Json,
  type JsonObject,
  listAt,
  member,
  textsAt,
} from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";

export interface SchemaFault {
  /** Steps from the schema to the value. */
  readonly at: readonly string[];
  readonly what: string;
  readonly fix: string;
}

const combinations = ["allOf", "anyOf", "oneOf"];
const maxListed = 5;

/** Reports a default that the schema itself does not allow. */
export function defaultFault(spec: ApiSpec, schema: JsonObject): SchemaFault[] {
  const value = member(schema, "default");
  if (value === undefined || value === null || isContainer(value)) return [];
  const allOf = listAt(schema, "allOf");
  const other = allOf.length === 1 ? allOf[0] : member(schema, "$ref") === undefined ? undefined : schema;
  const allowed = [schema, followReferences(other, spec.resolve)]
    .map((holder) => listAt(holder, "enum"))
    .find((values) => values.length > 0);
  if (allowed === undefined || allowed.some((option) => isEqual(option, value))) return [];
  const texts = allowed.filter((option) => !isContainer(option)).map(String);
  // Some writers add quotes inside the quotes.
  const text = String(value).replace(/^(['"`])(.+)\1$/s, "$2");
  const near = texts.includes(text) ? text : (spelledAlike(text, texts) ?? nearestName(text, texts));
  const chosen = allowed.find((option) => String(option) === near);
  const listed = allowed.slice(0, maxListed).map((option) => JSON.stringify(option));
  return [
    {
      at: ["default"],
      what: `The default ${JSON.stringify(value)} is not a value of its "enum".`,
      fix:
        chosen === undefined
          ? `write one of its values: ${listed.join(", ")}${listed.length < allowed.length ? ", …" : ""}.`
          : `write ${JSON.stringify(chosen)}.`,
    },
  ];
}

/** Compares values by their JSON, since long numbers are objects, and numbers also by their values. */
const isEqual = (a: Json, b: Json): boolean =>
  JSON.stringify(a) === JSON.stringify(b) ||
  (typeof a === typeof b && typeof a !== "string" && Number(a) === Number(b));

/**
 * Reports names in `required` for which the schema has no property, if it has a similar one or allows no others. Schemas that
 * combine others are skipped, since these may define the property.
 */
export function requiredFaults(schema: JsonObject): SchemaFault[] {
  const names = entriesAt(schema, "properties").map(([name]) => name);
  const required = textsAt(schema, "required");
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length === 0 || names.length === 0) return [];
  if ([...combinations, "$ref", "patternProperties"].some((key) => member(schema, key) !== undefined)) return [];
  const isClosed = member(schema, "additionalProperties") === false;
  const others = names.filter((name) => !required.includes(name));
  return missing.flatMap((name): SchemaFault[] => {
    const alike = spelledAlike(name, others);
    const near = alike ?? nearestName(name, others);
    if (near === undefined && !isClosed) return [];
    return [
      {
        at: ["required", String(required.indexOf(name))],
        what: `"required" contains "${name}", but the schema has no property of this name.`,
        fix:
          (near === undefined ? "" : `write "${near}"${alike === undefined ? ", or " : "."}`) +
          (alike === undefined ? `describe "${name}" in "properties".` : ""),
      },
    ];
  });
}

/** The parts of a combination whose required properties may be defined in other parts. */
export function combinedSchemas(spec: ApiSpec, schema: JsonObject): Json[] {
  const isOwner = ["properties", "allOf", "$ref"].some((key) => member(schema, key) !== undefined);
  return (isOwner ? combinations : ["allOf"]).flatMap((key) =>
    listAt(schema, key).flatMap((part) => followReferences(part, spec.resolve) ?? []),
  );
}
