import { entriesAt, isList, type Json, type JsonObject, numberAt } from "../../lib/json/index.js";

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

/** A schema of a rule. `if` and `then` are two of one rule. */
export type RuleSchema =
  | { readonly kind: "if" | "not" | "names" | "content"; readonly schema: Json }
  /** `when` is the schema on which they depend. */
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
      const most = numberAt(schema, "maxContains");
      const least = numberAt(schema, "minContains") ?? 1;
      return [{ kind: "contains", schema: written, least, ...(most !== undefined && { most }) }];
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
