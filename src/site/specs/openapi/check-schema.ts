import { type Diagnostic, nearestName, quoted, spelledAlike, warningOf } from "../../../lib/diagnostic/index.js";
import {
  entriesAt,
  followReferences,
  isContainer,
  isList,
  isObject,
  isRawNumber,
  isTrueAt,
  type Json,
  type JsonObject,
  listAt,
  member,
  pathOf,
  textAt,
  textsAt,
} from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import { writtenReference } from "../check-references.js";

export interface SchemaFault {
  /** Steps from the schema to the value. */
  readonly at: readonly string[];
  readonly what: string;
  readonly fix: string;
  /** Faults with the same key are reported once. Absent: each is reported. */
  readonly key?: string;
}

const combinations = ["allOf", "anyOf", "oneOf"];
const maxListed = 5;

const valueMembers = ["default", "enum", "example", "examples"];
const limitMembers = ["minimum", "minLength", "minItems", "minProperties", "properties"];

/** Reports values that a schema does not allow, and limits that no value meets. Most schemas have none of these members. */
export const schemaFaults = (spec: ApiSpec, schema: JsonObject): SchemaFault[] => [
  ...("default" in schema ? defaultFault(spec, schema) : []),
  ...(limitMembers.some((name) => name in schema) ? limitFaults(schema) : []),
  ...(valueMembers.some((name) => name in schema) ? exampleFaults(spec, schema, schema) : []),
];

/** Reports a default that the schema itself does not allow. */
function defaultFault(spec: ApiSpec, schema: JsonObject): SchemaFault[] {
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
  const fix =
    chosen === undefined
      ? `write one of its values: ${listed.join(", ")}${listed.length < allowed.length ? ", …" : ""}.`
      : `write ${JSON.stringify(chosen)}.`;
  return [{ at: ["default"], what: `The default ${JSON.stringify(value)} is not a value of its "enum".`, fix }];
}

/** Deeper values and longer lists are not checked. */
const maxDepth = 8;

/** Reports the first value of "default", "example", "examples" and "enum" that has another type than the schema. */
export function exampleFaults(spec: ApiSpec, holder: JsonObject, schema: Json | undefined): SchemaFault[] {
  const values: (readonly [name: string, value: Json | undefined, ...at: string[]])[] = [
    ["example", member(holder, "example")],
    // A default outside its enum is reported as such.
    ["default", member(holder, "enum") === undefined ? member(holder, "default") : undefined],
    ...["examples", "enum"].flatMap((name) => listAt(holder, name).map((value, i) => [name, value, `${i}`] as const)),
    ...entriesAt(holder, "examples").map(
      ([name, example]) => ["examples", member(example, "value"), name, "value"] as const,
    ),
  ];
  const type = member(schema, "type");
  return values.flatMap(([name, value, ...at]) => {
    // A value of the very type, which is the usual case, needs no look at the rest of the schema.
    const isOther = value !== undefined && (typeof value !== type || type === "object");
    const isNull = value === null && name === "example";
    const fault = schema && isOther && (isNull ? nullFault(spec, schema) : typeFault(spec, value, schema, 0));
    return fault ? { ...fault, at: [name, ...at, ...fault.at], key: `${name} ${fault.key}` } : [];
  });
}

/** Some generators write null where they have no example. */
function nullFault(spec: ApiSpec, written: Json): SchemaFault | undefined {
  const schema = followReferences(written, spec.resolve);
  const type = member(schema, "type");
  if (typeof type !== "string" || type === "null" || isTrueAt(schema, "nullable")) return undefined;
  const what = `null stands where the schema has the type "${type}", so pages show no example.`;
  return { at: [], what, fix: "write a value of this type, or remove it.", key: "null" };
}

function typeFault(spec: ApiSpec, value: Json, written: Json, depth: number): SchemaFault | undefined {
  const schema = followReferences(written, spec.resolve);
  if (value === null || depth > maxDepth || [...combinations, "not", "if"].some((key) => member(schema, key))) return;
  const types = [member(schema, "type")].flat().filter((type) => typeof type === "string");
  const given = isList(value) ? "array" : isRawNumber(value) ? "number" : typeof value;
  if (types.length > 0 && !types.some((type) => isOfType(value, given, type))) {
    const [type = ""] = types;
    // A text may be the JSON of an object, or several values with commas.
    if (given === "string" && /^(?:array|object)$/.test(type)) return;
    const text = isRawNumber(value) ? JSON.stringify(value) : String(value);
    const what = `${isContainer(value) ? `${given === "array" ? "A list" : "An object"} stands` : `${typeof value === "string" ? quoted(value, 60) : text} is ${nouns[given]}, but stands`} where the schema has the type "${type}".`;
    const fix = isContainer(value)
      ? `write a value of this type, or correct the type.`
      : type === "string"
        ? `write ${JSON.stringify(text)}.`
        : given === "string" && isOfType(valueOfText(text), typeof valueOfText(text), type)
          ? `write ${text.trim()} without quotes.`
          : `write a value of this type, or correct the type.`;
    return { at: [], what, fix, key: `${given} ${type}` };
  }
  const parts = isList(value)
    ? value.slice(0, maxListed).map((item, i) => [`${i}`, item, member(schema, "items")] as const)
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => [name, item, member(member(schema, "properties"), name)] as const)
      : [];
  for (const [step, item, inner] of parts) {
    const fault = inner && typeFault(spec, item, inner, depth + 1);
    if (fault) return { ...fault, at: [step, ...fault.at] };
  }
  return;
}

const nouns: Readonly<Record<string, string>> = { string: "a string", number: "a number", boolean: "true or false" };
const isOfType = (value: Json, given: string, type: string): boolean =>
  type === given ||
  (type === "integer" ? given === "number" && Number.isInteger(Number(JSON.stringify(value))) : false) ||
  !typeNames.has(type);
const typeNames = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);
const valueOfText = (text: string): Json =>
  /^(?:true|false)$/.test(text)
    ? text === "true"
    : text.trim() !== "" && Number.isFinite(Number(text))
      ? Number(text)
      : text;

/** What to write in place of a value that must be a string, a number, or true or false. */
export function scalarFix(wanted: string, value: Json): string {
  const text = String(value).toLowerCase();
  if (isContainer(value)) return `write ${wanted}.`;
  if (wanted === "a string")
    return `write ${JSON.stringify(isRawNumber(value) ? JSON.stringify(value) : String(value))}.`;
  if (wanted === "a number") return Number.isFinite(Number(text)) ? `write ${Number(text)}.` : "write a number.";
  return /^(?:true|yes|1)$/.test(text)
    ? "write true."
    : /^(?:false|no|0)$/.test(text)
      ? "write false."
      : `write ${wanted}.`;
}

/** Reports what no value can meet: a lower limit above the upper one, and properties of a list. */
function limitFaults(schema: JsonObject): SchemaFault[] {
  const isListWithItems = textAt(schema, "type") === "array" && Object.keys(Object(member(schema, "items"))).length > 0;
  if (isListWithItems && isObject(member(schema, "properties"))) {
    const what = 'A list has no "properties", so pages do not show them.';
    return [{ at: ["properties"], what, fix: 'move them into "items", or remove them.' }];
  }
  return ["imum", "Length", "Items", "Properties"].flatMap((rest): SchemaFault[] => {
    const [min, max] = [member(schema, `min${rest}`), member(schema, `max${rest}`)];
    if (typeof min !== "number" || typeof max !== "number" || min <= max) return [];
    const what = `The min${rest} is ${min}, but the max${rest} is ${max}, so no value is valid.`;
    return [{ at: [`min${rest}`], what, fix: "exchange the two, or correct one of them." }];
  });
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
  if (!("required" in schema)) return [];
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
    const what = `"required" contains "${name}", but the schema has no property of this name.`;
    const fix =
      (near === undefined ? "" : `write "${near}"${alike === undefined ? ", or " : "."}`) +
      (alike === undefined ? `describe "${name}" in "properties".` : "");
    return [{ at: ["required", String(required.indexOf(name))], what, fix }];
  });
}

/** The parts of a combination whose required properties may be defined in other parts. */
export function combinedSchemas(spec: ApiSpec, schema: JsonObject): Json[] {
  if (!combinations.some((key) => key in schema)) return [];
  const isOwner = ["properties", "allOf", "$ref"].some((key) => member(schema, key) !== undefined);
  return (isOwner ? combinations : ["allOf"]).flatMap((key) =>
    listAt(schema, key).flatMap((part) => followReferences(part, spec.resolve) ?? []),
  );
}

/** The most schemas of an option that are followed by references and `allOf`. */
const maxSchemas = 50;

/**
 * Reports a discriminator whose options allow only other values than it expects: the keys of `mapping`, else the names of the
 * components. No value selects such an option.
 *
 * @param pointer pointer of the schema with the discriminator.
 */
export function checkDiscriminator(spec: ApiSpec, schema: JsonObject, pointer: string): Diagnostic[] {
  const discriminator = schema["discriminator"];
  const property = textAt(discriminator, "propertyName");
  if (property === undefined) return [];
  const mapping = new Map(
    entriesAt(discriminator, "mapping").map(([value, target]) => [componentName(String(target)), { value, target }]),
  );
  const wrong = ["oneOf", "anyOf"].flatMap((key) =>
    listAt(schema, key).flatMap((option) => {
      const ref = textAt(option, "$ref");
      if (ref === undefined) return [];
      const name = componentName(ref);
      const value = mapping.get(name)?.value ?? name;
      const allowed = valuesOf(spec, option, property);
      return allowed.length === 0 || allowed.includes(value) ? [] : [{ name, value, allowed: allowed[0]!, ref }];
    }),
  );
  if (wrong.length === 0) return [];
  const listed = wrong.slice(0, maxListed);
  const more = wrong.length - listed.length;
  const shown = listed.map(
    ({ name, value, allowed }) => `${name} is selected by "${value}", but its own schema says "${allowed}"`,
  );
  const members = listed
    .map(({ allowed, ref }) => `${JSON.stringify(allowed)}: ${JSON.stringify(writtenReference(spec, ref))}`)
    .join(", ");
  return [
    {
      ...warningOf("SPEC_DISCRIMINATOR"),
      what: `No value of "${property}" selects ${wrong.length === 1 ? "an option" : `${wrong.length} options`} of this discriminator: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
      location: spec.locationOf(`${pointer}/discriminator`),
      fix: `write "mapping": { ${members}${more > 0 ? ", …" : ""} } in the discriminator.`,
    },
  ];
}

/** Name of a component that is referred to by its pointer or its bare name. */
const componentName = (ref: string): string =>
  /[#/]/.test(ref) ? (pathOf(ref.replace(/^[^#]*/, "")).at(-1) ?? ref) : ref;

/** The texts that the schema allows for a property; none if it allows any. */
function valuesOf(spec: ApiSpec, schema: Json, property: string): string[] {
  const schemas = new Set<Json>([schema]);
  for (const part of schemas) {
    const ref = textAt(part, "$ref");
    const target = ref === undefined ? undefined : spec.resolve(ref);
    for (const inner of [...(target === undefined ? [] : [target]), ...listAt(part, "allOf")])
      if (schemas.size < maxSchemas) schemas.add(inner);
  }
  return [...schemas].flatMap((part) => {
    const definition = member(member(part, "properties"), property);
    const constant = member(definition, "const");
    return (constant === undefined ? listAt(definition, "enum") : [constant]).filter(
      (value) => typeof value === "string",
    );
  });
}

/** Callouts and directives of other tools at the start of a line, and shortcodes of Hugo, which Markdown shows as text. */
const foreignMarks =
  /^ {0,3}(:::+ ?[a-z]+|!!! ?[a-z]+|\[block:[a-z-]+\]|\.\. [a-z-]+::|\{% ?(?!admonition\b)[a-z]+)|(?<!\]\()(\{\{[<%] ?[a-z]+)/m;

/** The fault of a description with the markup of another tool, and its kind. */
export function foreignMark(description: string): (Pick<SchemaFault, "what" | "fix"> & { key: string }) | undefined {
  const found = foreignMarks.exec(description);
  if (found === null) return undefined;
  const mark = found[1] ?? found[2]!;
  const what = `A description has "${mark}", which other tools read; pages show it as text.`;
  const fix = mark.startsWith("{{")
    ? "write the text or the address that it stands for."
    : "write > [!NOTE] before a note and > before each of its lines, and Markdown for the rest.";
  return { key: mark.slice(0, 2), what, fix };
}
