import { isRawNumber, stringify } from "../../../lib/json/json.js";
import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { say, sayWith } from "../messages.js";
import { isValueObject, type Value } from "./control.js";
import { matchesPattern } from "./match-pattern.js";

/** The error of a typed value, if any. Nested values are checked by their own controls. */
export function faultOf(schema: FormSchema, value: Value): string | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return textFault(schema, value);
  if (typeof value === "number") return numberFault(schema, value);
  if (isRawNumber(value)) return numberFault(schema, Number(stringify(value)));
  const { limits = {} } = schema;
  if (Array.isArray(value)) {
    const hasDuplicates = schema.uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < value.length;
    return hasDuplicates ? say("uniqueItems") : countFault(value.length, limits.minItems, limits.maxItems, "itemCount");
  }
  if (isValueObject(value))
    return countFault(Object.keys(value).length, limits.minProperties, limits.maxProperties, "propertyCount");
  return undefined;
}

function textFault(schema: FormSchema, text: string): string | undefined {
  const { limits = {}, pattern, format, types } = schema;
  if (types !== undefined && !types.includes("string")) return sayWith("wrongType", types.join(", "));
  const length = [...text].length;
  const lengthFault = countFault(length, limits.minLength, limits.maxLength, "stringLength");
  if (lengthFault !== undefined) return lengthFault;
  if (pattern !== undefined && matchesPattern(pattern, text) === false) return `${say("pattern")}: ${pattern}`;
  const test = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return test === undefined || test(text) ? undefined : sayWith("wrongFormat", format!);
}

function numberFault({ limits = {}, types }: FormSchema, value: number): string | undefined {
  if (types?.length === 1 && types[0] === "integer" && !Number.isInteger(value)) return sayWith("wrongType", "integer");
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits;
  const isLow =
    (minimum !== undefined && value < minimum) || (exclusiveMinimum !== undefined && value <= exclusiveMinimum);
  const isHigh =
    (maximum !== undefined && value > maximum) || (exclusiveMaximum !== undefined && value >= exclusiveMaximum);
  if (isLow || isHigh) {
    const low =
      exclusiveMinimum !== undefined ? `${exclusiveMinimum} < ` : minimum !== undefined ? `${minimum} <= ` : "";
    const high =
      exclusiveMaximum !== undefined ? ` < ${exclusiveMaximum}` : maximum !== undefined ? ` <= ${maximum}` : "";
    return `${say("range")}: ${low}x${high}`;
  }
  if (multipleOf === undefined || multipleOf <= 0) return undefined;
  const times = Number((value / multipleOf).toPrecision(12));
  return Number.isInteger(times) ? undefined : `${say("multipleOf")} ${multipleOf}`;
}

function countFault(
  count: number,
  low: number | undefined,
  high: number | undefined,
  key: "stringLength" | "itemCount" | "propertyCount",
): string | undefined {
  if (count >= (low ?? 0) && count <= (high ?? Number.POSITIVE_INFINITY)) return undefined;
  const range = low === undefined ? `<= ${high}` : high === undefined ? `>= ${low}` : `${low} - ${high}`;
  return `${say(key)}: ${range}`;
}

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
const isUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:./i.test(text) && !/\s/.test(text);
const isIpv4 = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => Number(part) < 256);

/** All tests take linear time. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)),
  time: (text) => /^\d{2}:\d{2}(?::\d{2})?/.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: isUrl,
  url: isUrl,
  uuid: (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text),
  ipv4: isIpv4,
  ipv6: (text) => /^[\da-f:.]{2,45}$/i.test(text) && text.includes(":"),
  hostname: (text) => text.length <= 253 && /^[\w.-]+$/.test(text),
  byte: (text) => /^[A-Za-z\d+/]*={0,2}$/.test(text),
};

/** Whether a control of this schema can show the value. Only the type counts; nested values have their own controls. */
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

/** How well a value fits an option: by its properties, missing and unknown ones. Another constant rules it out. */
export function matchScore(schemas: readonly FormSchema[], schema: FormSchema, value: Value): number {
  if (!fits(schemas, schema, value)) return Number.NEGATIVE_INFINITY;
  const { enum: values, const: only } = schema;
  const allowed = only !== undefined ? [only] : values;
  if (allowed !== undefined)
    return allowed.some((option) => JSON.stringify(option) === JSON.stringify(value)) ? 1 : Number.NEGATIVE_INFINITY;
  if (!isValueObject(value)) return 0;
  let score = 0;
  const knownNames = new Set<string>();
  for (const [name, index, required] of schema.properties ?? []) {
    knownNames.add(name);
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) score -= required ? 3 : 0;
    else {
      const property = schemas[index]!;
      const isFixed = property.const !== undefined || property.enum !== undefined;
      if (isFixed && matchScore(schemas, property, member) < 0) return Number.NEGATIVE_INFINITY;
      score += isFixed ? 4 : fits(schemas, property, member) ? 2 : -1;
    }
  }
  for (const name of Object.keys(value)) if (!knownNames.has(name)) score -= 1;
  return score;
}
