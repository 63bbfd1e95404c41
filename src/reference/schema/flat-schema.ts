import { isContainer, type Json, type JsonObject } from "../../lib/json/index.js";
import type { SchemaRule } from "./schema-rules.js";

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
  /** Lists of properties, one of which must be present. */
  readonly requiredGroups: readonly (readonly string[])[];
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

/** `oneOf` or `anyOf`: pages show both in the same way. */
export interface Union {
  readonly options: readonly UnionOption[];
  /** Property whose value selects the option. */
  readonly discriminator?: string;
}
export interface UnionOption {
  readonly schema: Json;
  /** Value of the discriminator. */
  readonly value?: string;
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
