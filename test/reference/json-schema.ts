import type { Json, JsonObject } from "../../src/lib/json/index.js";
import type { ApiSpec } from "../../src/site/api-spec.js";

/**
 * Validates a value with the keywords that API specifications use: all but the dynamic references.
 * Options of a `oneOf` may overlap, because most do in practice.
 *
 * Out: the violations: `/a/0: is no string`.
 */
export function faultsOf(value: Json, schema: Json, spec: ApiSpec, direction: "request" | "response"): string[] {
  const faults: string[] = [];
  const check = (each: Json, written: Json, path: string, depth: number): boolean => {
    const before = faults.length;
    const fail = (why: string): void => void faults.push(`${path || "/"}: ${why}`);
    if (written === false) fail("nothing is valid");
    if (typeof written !== "object" || written === null || Array.isArray(written) || depth > 200) return true;
    const all = written as JsonObject;
    const at = (name: string): Json | undefined => (Object.hasOwn(all, name) ? all[name] : undefined);
    const ref = at("$ref");
    if (typeof ref === "string") {
      const target = spec.resolve(ref);
      if (target !== undefined) check(each, target, path, depth + 1);
    }
    const nullable = all["nullable"] === true;
    if (each === null && nullable) return faults.length === before;
    const types = [at("type") ?? []].flat() as string[];
    if (types.length > 0 && !types.some((type) => isOf(each, type))) fail(`is no ${types.join(" or ")}`);
    const values = at("enum");
    if (Array.isArray(values) && !values.some((one) => same(one as Json, each)))
      fail(`is none of ${JSON.stringify(values).slice(0, 80)}`);
    const constant = at("const");
    if (constant !== undefined && !same(constant, each)) fail(`is not ${JSON.stringify(constant)}`);
    for (const part of list(at("allOf"))) check(each, part, path, depth + 1);
    for (const keyword of ["anyOf", "oneOf"]) {
      const options = list(at(keyword));
      if (options.length === 0) continue;
      const tried = options.map((option) => {
        const start = faults.length;
        const fits = check(each, option, path, depth + 1);
        return { fits, reasons: faults.splice(start) };
      });
      if (!tried.some(({ fits }) => fits)) fail(`fits none of ${keyword} (${tried[0]!.reasons[0]})`);
    }
    const isValid = (part: Json): boolean => {
      const start = faults.length;
      check(each, part, path, depth + 1);
      return faults.splice(start).length === 0;
    };
    const condition = at("if");
    const followed = condition === undefined ? undefined : at(isValid(condition) ? "then" : "else");
    if (followed !== undefined) check(each, followed, path, depth + 1);
    const excluded = at("not");
    if (excluded !== undefined && isValid(excluded)) fail("is what is not allowed");
    if (typeof each === "number") checkNumber(each, all, fail);
    if (typeof each === "string") checkText(each, all, fail);
    if (Array.isArray(each)) {
      const first = list(at("prefixItems"));
      const items = at("items");
      each.forEach((item: Json, i) => {
        const own = first[i] ?? (Array.isArray(items) ? items[i] : items);
        if (own !== undefined) check(item, own as Json, `${path}/${i}`, depth + 1);
      });
      checkCount(each.length, all, "Items", fail);
      const contains = at("contains");
      if (contains !== undefined) {
        const start = faults.length;
        const found = each.filter((item: Json) => {
          check(item, contains, path, depth + 1);
          return faults.splice(start).length === 0;
        });
        if (found.length < ((at("minContains") as number | undefined) ?? 1)) fail("lacks an item");
      }
      if (all["uniqueItems"] === true && new Set(each.map((item) => JSON.stringify(item))).size < each.length)
        fail("repeats an item");
    } else if (typeof each === "object" && each !== null) {
      const properties = (at("properties") ?? {}) as JsonObject;
      const patterns = Object.entries((at("patternProperties") ?? {}) as JsonObject);
      for (const [name, item] of Object.entries(each)) {
        const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
        if (own !== undefined) check(item as Json, own, `${path}/${name}`, depth + 1);
        const fitting = patterns.filter(([pattern]) => new RegExp(pattern, "u").test(name));
        for (const [, schemaOf] of fitting) check(item as Json, schemaOf, `${path}/${name}`, depth + 1);
        const others = at("additionalProperties");
        if (own === undefined && fitting.length === 0 && others !== undefined)
          check(item as Json, others, `${path}/${name}`, depth + 1);
      }
      const names = at("propertyNames");
      if (names !== undefined) for (const name of Object.keys(each)) check(name, names, path, depth + 1);
      for (const [name, needs] of Object.entries({
        ...(at("dependencies") as JsonObject),
        ...(at("dependentRequired") as JsonObject),
        ...(at("dependentSchemas") as JsonObject),
      }))
        if (Object.hasOwn(each, name))
          check(each, Array.isArray(needs) ? { required: needs } : needs!, path, depth + 1);
      for (const name of list(at("required")) as string[]) {
        if (Object.hasOwn(each, name)) continue;
        // Properties of the other direction are absent.
        const own = resolved(Object.hasOwn(properties, name) ? properties[name] : undefined, spec);
        if (own?.[direction === "request" ? "readOnly" : "writeOnly"] !== true) fail(`lacks ${name}`);
      }
      checkCount(Object.keys(each).length, all, "Properties", fail);
    }
    return faults.length === before;
  };
  check(value, schema, "", 0);
  return faults;
}

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const same = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

function resolved(schema: Json | undefined, spec: ApiSpec): JsonObject | undefined {
  let current = schema as JsonObject | undefined;
  for (let hop = 0; hop < 20 && typeof current?.["$ref"] === "string"; hop++)
    current = spec.resolve(current["$ref"]) as JsonObject | undefined;
  return current;
}

function isOf(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

type Fail = (why: string) => void;
const numberOf = (schema: JsonObject, name: string): number | undefined =>
  typeof schema[name] === "number" ? schema[name] : undefined;

function checkNumber(value: number, schema: JsonObject, fail: Fail): void {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const minimum = numberOf(schema, "minimum") ?? Number.NEGATIVE_INFINITY;
  const maximum = numberOf(schema, "maximum") ?? Number.POSITIVE_INFINITY;
  if (value < minimum || (exclusiveMinimum === true && value === minimum)) fail(`${value} is below ${minimum}`);
  if (value > maximum || (exclusiveMaximum === true && value === maximum)) fail(`${value} is above ${maximum}`);
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    fail(`${value} is not above ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    fail(`${value} is not below ${exclusiveMaximum}`);
  const step = numberOf(schema, "multipleOf");
  if (step !== undefined && Math.abs(value / step - Math.round(value / step)) > 1e-9) fail(`is no multiple of ${step}`);
}

const formats: Readonly<Record<string, RegExp>> = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^@\s]+@[^@\s]+\.[a-z]+$/,
  uuid: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  ipv4: /^(?:\d{1,3}\.){3}\d{1,3}$/,
};

function checkText(value: string, schema: JsonObject, fail: Fail): void {
  checkCount([...value].length, schema, "Length", fail);
  const { pattern, format } = schema;
  if (typeof pattern === "string" && !patternOf(pattern).test(value))
    fail(`${JSON.stringify(value)} does not match ${pattern}`);
  const known = typeof format === "string" && pattern === undefined ? formats[format] : undefined;
  const isBounded = schema["maxLength"] !== undefined || schema["minLength"] !== undefined;
  if (known && !isBounded && !known.test(value)) fail(`${JSON.stringify(value)} is no ${String(format)}`);
}

/** Some patterns are invalid in Unicode mode. */
function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

function checkCount(count: number, schema: JsonObject, kind: "Items" | "Properties" | "Length", fail: Fail): void {
  if (count < (numberOf(schema, `min${kind}`) ?? 0)) fail(`has ${count} ${kind.toLowerCase()}`);
  if (count > (numberOf(schema, `max${kind}`) ?? Number.POSITIVE_INFINITY)) fail(`has ${count} ${kind.toLowerCase()}`);
}
