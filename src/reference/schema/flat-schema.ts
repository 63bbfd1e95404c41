import { entriesAt, isContainer, isList, type Json, type JsonObject, numberAt } from "../../lib/json/index.js";

/**
 * A resolved schema: references followed, `allOf` merged, `null` as a flag in the manner of both 3.0 and 3.1. Its parts
 * (properties, items, options) stay as written, so that they are resolved only on demand.
 */
export interface FlatSchema {
  /** The schema object, the same wherever it is used: it identifies recursion. */
  readonly identity: object | undefined;
  /** Without `null`; empty if any type is valid. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** No value is valid (schema `false`). */
  readonly never: boolean;
  /** As written; not the name of a reference. */
  readonly title?: string;
  /** Name of the component. */
  readonly refName?: string;
  readonly description?: string;
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  /** `null` left out. */
  readonly enum?: readonly Json[];
  /** Descriptions of single values, by `valueKey`. */
  readonly enumNotes: ReadonlyMap<string, string>;
  readonly const?: { readonly value: Json };
  readonly default?: { readonly value: Json };
  readonly examples: readonly Json[];
  readonly pattern?: string;
  readonly limits: Limits;
  readonly uniqueItems: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
  /** Each with all schemas that apply to it. */
  readonly properties: ReadonlyMap<string, readonly Json[]>;
  readonly required: ReadonlySet<string>;
  readonly patternProperties: ReadonlyMap<string, readonly Json[]>;
  /** Schema of other properties; undefined if not specified. */
  readonly additional?: Json;
  /** Schemas of all items, which apply together. */
  readonly items: readonly Json[];
  /** Schemas of the first items. */
  readonly prefixItems: readonly Json[];
  /** No items may follow those of `prefixItems`. */
  readonly noMoreItems: boolean;
  readonly unions: readonly Union[];
  /** One of these must be present. */
  readonly requiredGroups: readonly RequiredGroup[];
  /** Schemas that apply under a condition, or to a part of the value. */
  readonly rules: readonly SchemaRule[];
  readonly externalDocs?: JsonObject;
  /** The schema objects as written, outermost first, to look up extensions. */
  readonly parts: readonly JsonObject[];
}

export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** Properties that are required together, and what the schema says of them. */
export interface RequiredGroup {
  readonly names: readonly string[];
  readonly about: string;
}

/** `oneOf` or `anyOf`: pages show both in the same way. */
export interface Union {
  readonly options: readonly UnionOption[];
  /** Property whose value selects the option. */
  readonly discriminator?: string;
}
export interface UnionOption {
  readonly schema: Json;
  /** Value of the discriminator, and others that select the same option. */
  readonly value?: string;
  readonly others?: readonly string[];
  /** It has all values of the discriminator that select no other option. */
  readonly isDefault?: true;
}

export interface SchemaReader {
  /** Resolves schemas that all apply together. */
  flatten(...schemas: readonly Json[]): FlatSchema;
}

/** A key for comparing values: scalars by their JSON, structures by their member names. */
export const valueKey = (value: Json): string =>
  typeof value === "string"
    ? `"${value}`
    : value === null || isContainer(value)
      ? shapeOf(value)
      : JSON.stringify(value);
const shapeOf = (value: Json): string => (value === null ? "null" : `${Array.isArray(value)}${Object.keys(value)}`);

/** A schema that applies under a condition, to some items, to property names, or negated. */
export type SchemaRule =
  | { readonly kind: "if"; readonly when: Json; readonly then?: Json; readonly else?: Json }
  /** If the object has the property `name`. */
  | { readonly kind: "with"; readonly name: string; readonly schema: Json }
  | { readonly kind: "not" | "names" | "content"; readonly schema: Json }
  /** Applies to `least` to `most` items of a list. */
  | { readonly kind: "contains"; readonly schema: Json; readonly least: number; readonly most?: number };

const keywords = new Set(
  "if not contains contentSchema propertyNames dependentRequired dependentSchemas dependencies".split(" "),
);

const structural = new Set(
  "allOf oneOf anyOf discriminator properties patternProperties required additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems".split(
    " ",
  ),
);

/** Whether a schema has parts. A quick test, because most schemas are plain values. */
export function hasStructure(schema: JsonObject): boolean {
  for (const name in schema) if (structural.has(name) || keywords.has(name)) return true;
  return false;
}

/** The rules of a schema, without those of its parts. */
export function rulesOf(schema: JsonObject): SchemaRule[] {
  const rules: SchemaRule[] = [];
  for (const keyword in schema) if (keywords.has(keyword)) rules.push(...rulesAt(schema, keyword));
  return rules;
}

/** One schema of a rule. A rule with `if` also has `then`, `else` or both. */
export type RuleSchema =
  | { readonly kind: "if" | "not" | "names" | "content"; readonly schema: Json }
  /** `when` is the schema of the condition. */
  | { readonly kind: "then" | "else"; readonly schema: Json; readonly when: Json }
  | Extract<SchemaRule, { readonly kind: "with" | "contains" }>;

/** The schemas of rules, in reading order. */
export const ruleSchemas = (rules: readonly SchemaRule[]): RuleSchema[] =>
  rules.flatMap((rule): RuleSchema[] => {
    if (rule.kind !== "if") return [rule];
    const { when, then, else: otherwise } = rule;
    return [
      { kind: "if", schema: when },
      ...(then === undefined ? [] : [{ kind: "then", schema: then, when } as const]),
      ...(otherwise === undefined ? [] : [{ kind: "else", schema: otherwise, when } as const]),
    ];
  });

function rulesAt(schema: JsonObject, keyword: string): SchemaRule[] {
  const written = schema[keyword]!;
  switch (keyword) {
    case "if": {
      const { then, else: otherwise } = schema;
      if (then === undefined && otherwise === undefined) return [];
      return [
        {
          kind: "if",
          when: written,
          ...(then !== undefined && { then }),
          ...(otherwise !== undefined && { else: otherwise }),
        },
      ];
    }
    case "not":
      return [{ kind: "not", schema: written }];
    case "propertyNames":
      return [{ kind: "names", schema: written }];
    case "contentSchema":
      return [{ kind: "content", schema: written }];
    case "contains": {
      const max = numberAt(schema, "maxContains");
      const least = numberAt(schema, "minContains") ?? 1;
      return [{ kind: "contains", schema: written, least, ...(max !== undefined && { most: max }) }];
    }
    case "dependentRequired":
    case "dependentSchemas":
    case "dependencies":
      return entriesAt(schema, keyword).map(([name, needs]) => ({
        kind: "with",
        name,
        schema: isList(needs) ? { required: needs } : needs,
      }));
    default:
      return [];
  }
}
