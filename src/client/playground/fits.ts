import { isRawNumber } from "../../lib/json/raw-number.js";
import type { FormSchema } from "../../reference/forms/playground-form.js";
import { isValueObject, type Value } from "./value.js";

/** Whether a control of this schema can hold the value. Only the type counts; nested values have their own controls. */
export function fits(schemas: readonly FormSchema[], schema: FormSchema, value: Value, depth = 0): boolean {
  if (value === null) return schema.nullable === true || schema.types === undefined;
  const { types, unions, enum: values } = schema;
  if (schema.file) return value instanceof File || typeof value === "string";
  if (values !== undefined || schema.const !== undefined || schema.cut) return true;
  if (unions !== undefined && types === undefined && schema.properties === undefined)
    return (
      depth > 8 ||
      unions.some(({ options }) => options.some((option) => fits(schemas, schemas[option.schema]!, value, depth + 1)))
    );
  return types === undefined
    ? schema.properties === undefined || isValueObject(value)
    : types.some((type) => hasType(type, value));
}

function hasType(type: string, value: Value): boolean {
  switch (type) {
    case "object":
      return isValueObject(value);
    case "array":
      return Array.isArray(value);
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    default:
      return typeof value === "number" || isRawNumber(value);
  }
}

/**
 * How well a value matches one of several options: present properties count for it, missing and unknown ones against
 * it, and a different constant rules it out.
 */
export function likeness(schemas: readonly FormSchema[], schema: FormSchema, value: Value): number {
  if (!fits(schemas, schema, value)) return Number.NEGATIVE_INFINITY;
  const { enum: values, const: only } = schema;
  const known = only !== undefined ? [only] : values;
  if (known !== undefined)
    return known.some((each) => JSON.stringify(each) === JSON.stringify(value)) ? 1 : Number.NEGATIVE_INFINITY;
  if (!isValueObject(value)) return 0;
  let score = 0;
  const named = new Set<string>();
  for (const [name, index, required] of schema.properties ?? []) {
    named.add(name);
    const each = Object.hasOwn(value, name) ? value[name] : undefined;
    if (each === undefined) score -= required ? 3 : 0;
    else {
      const property = schemas[index]!;
      const isFixed = property.const !== undefined || property.enum !== undefined;
      if (isFixed && likeness(schemas, property, each) < 0) return Number.NEGATIVE_INFINITY;
      score += isFixed ? 4 : fits(schemas, property, each) ? 2 : -1;
    }
  }
  for (const name of Object.keys(value)) if (!named.has(name)) score -= 1;
  return score;
}
