// What a schema has directly: its properties through all parts and options, and the schemas of its items and other values.
import { isInternal, isRecord, listOf, recordOf, type Source, textOf, type Value } from "./source-files.ts";

export interface Property {
  readonly name: string;
  /** As written: a reference, or the schema. */
  readonly schema: Value;
  /** A later part of the same schema says what it is instead. */
  readonly isReplaced: boolean;
}

export interface Shape {
  /** The resolved schema, the same object for the same place of the source. */
  readonly identity: object;
  readonly properties: readonly Property[];
  /** Schemas of values without a name: additional properties, patterns, tuples. */
  readonly others: readonly Value[];
  /** Its alternatives, of which a page may show some in place and lead to others. */
  readonly options: readonly object[];
}

export type Direction = "request" | "response";

export interface ShapeReader {
  shapeOf(schema: Value | undefined): Shape | undefined;
  /** Names of a resolved schema, and of the structure inside it: title, and name as a component. */
  namesOf(identity: object): string[];
  /** Is it left out of requests, or of responses? */
  isLeftOut(property: Value, direction: Direction): boolean;
  /** Texts that describe a property: its own, else of the schema it refers to, else of its parts. */
  descriptionOf(property: Value): string;
}

/** Whether a part of a combination is more than words about it, or the type of nothing. */
const saysStructure = (part: Value): boolean =>
  recordOf(part)["type"] !== "null" &&
  Object.keys(recordOf(part)).some(
    (key) =>
      !/^(?:default|deprecated|description|example|externalDocs|nullable|readOnly|title|writeOnly|xml|x-.*)$/.test(key),
  );

const maxWrappers = 20;
const ownKeys = ["properties", "patternProperties", "additionalProperties", "prefixItems", "then", "dependentSchemas"];

export function createShapeReader(source: Source): ShapeReader {
  const shapes = new WeakMap<object, Shape>();
  const { root } = source;
  const components = recordOf(root["definitions"] ?? recordOf(root["components"])["schemas"]);
  const componentNames = new Map(Object.entries(components).map(([name, schema]) => [source.resolve(schema), name]));
  /** The structure inside lists and wrappers: a page about it is about these too. */
  const structureOf = (schema: Value): Value | undefined => {
    let resolved: Value | undefined = schema;
    for (let step = 0; step < maxWrappers; step++) {
      const record = recordOf(resolved);
      const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => listOf(record[key]));
      const inner = [...parts.filter(saysStructure), record["items"]].filter(isRecord);
      if (inner.length !== 1 || ownKeys.some((key) => key in record)) break;
      resolved = source.resolve(inner[0]);
    }
    return resolved;
  };
  const shapeOf = (schema: Value | undefined): Shape | undefined => {
    const resolved = source.resolve(schema);
    if (!isRecord(resolved)) return undefined;
    const known = shapes.get(resolved);
    if (known) return known;
    /** Properties by the alternative that they belong to, and by name. */
    const groups = new Map<string, Value[]>();
    const others: Value[] = [];
    const options: object[] = [];
    const seen = new Set<object>();
    const visit = (written: Value | undefined, option: string): void => {
      const part = source.resolve(written);
      if (!isRecord(part) || seen.has(part) || isInternal(part)) return;
      seen.add(part);
      for (const each of listOf(part["allOf"])) visit(each, option);
      for (const [name, property] of Object.entries(recordOf(part["properties"])))
        if ((isRecord(property) && !isInternal(property)) || typeof property === "boolean") {
          const key = `${option} ${name}`;
          groups.set(key, [...(groups.get(key) ?? []), property]);
        }
      for (const key of ["oneOf", "anyOf"])
        for (const [i, each] of listOf(part[key]).entries()) {
          const alternative = source.resolve(each);
          if (isRecord(alternative)) options.push(alternative);
          visit(each, `${option}/${key}-${i}`);
        }
      // Without a list of options, the values of the discriminator say which there are.
      const { mapping } = recordOf(part["discriminator"]);
      if (!("oneOf" in part || "anyOf" in part))
        for (const [value, target] of Object.entries(recordOf(mapping)))
          if (textOf(target).startsWith("#")) visit({ $ref: target }, `${option}/mapping-${value}`);
      for (const key of ["then", "else"]) visit(part[key], `${option}/${key}`);
      for (const each of Object.values(recordOf(part["dependentSchemas"]))) visit(each, option);
      if (Array.isArray(part["items"])) others.push(...listOf(part["items"]));
      else visit(part["items"], option);
      others.push(...listOf(part["prefixItems"]));
      for (const key of ["additionalProperties", "unevaluatedProperties", "additionalItems"])
        if (isRecord(part[key])) others.push(part[key]);
      for (const each of Object.values(recordOf(part["patternProperties"]))) if (isRecord(each)) others.push(each);
      // Siblings of a reference belong to the schema too, in OpenAPI 3.1.
      if (isRecord(written) && written !== part && Object.keys(written).length > 1) {
        const { $ref: _, ...siblings } = written as Record<string, Value>;
        if ("properties" in siblings || "allOf" in siblings) visit(siblings, option);
      }
    };
    visit(resolved, "");
    const properties = [...groups].flatMap(([key, schemas]) =>
      schemas.map((property, i) => ({
        name: key.slice(key.indexOf(" ") + 1),
        schema: property,
        isReplaced: i < schemas.length - 1,
      })),
    );
    const shape = { identity: resolved, properties, others, options };
    shapes.set(resolved, shape);
    return shape;
  };

  const isLeftOut = (property: Value, direction: Direction): boolean => {
    const key = direction === "request" ? "readOnly" : "writeOnly";
    const seen = new Set<Value>();
    const has = (written: Value | undefined): boolean => {
      const schema = source.resolve(written);
      if (!isRecord(schema) || seen.has(schema)) return false;
      seen.add(schema);
      return (
        isInternal(schema) ||
        schema[key] === true ||
        recordOf(written)[key] === true ||
        listOf(schema["allOf"]).some(has)
      );
    };
    return has(property);
  };

  const descriptionOf = (property: Value): string => {
    const own = textOf(recordOf(property)["description"]);
    if (own !== "") return own;
    const schema = recordOf(source.resolve(property));
    const inside = textOf(schema["description"]);
    if (inside !== "") return inside;
    const parts = listOf(schema["allOf"]);
    return parts.length === 1 ? textOf(recordOf(source.resolve(parts[0]))["description"]) : "";
  };
  const namesOf = (identity: object): string[] =>
    [identity as Value, structureOf(identity as Value)]
      .flatMap((schema) => [
        textOf(recordOf(schema)["title"]),
        componentNames.get(schema) ?? source.nameOf(schema) ?? "",
      ])
      .filter((name) => name !== "");
  return { shapeOf, namesOf, isLeftOut, descriptionOf };
}
