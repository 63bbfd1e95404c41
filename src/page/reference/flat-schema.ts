import type { Json, JsonObject } from "../../lib/json/index.js";

/**
 * A schema as a reader understands it: references followed, `allOf` merged, `null` among the types taken as "may be
 * null", whichever of the versions 3.0 and 3.1 wrote it. What it says of its parts (properties, items, options) is kept
 * as written, so that nothing is flattened before somebody asks for it.
 */
export interface FlatSchema {
  /** The object that describes this structure, the same wherever it is used: tells a recursion from a likeness. */
  readonly identity: object | undefined;
  /** `null` left out; empty if any type will do. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** Nothing is valid (`false`). */
  readonly never: boolean;
  /** As written; not the name of a reference. */
  readonly title?: string;
  /** Name of the component that it is. */
  readonly refName?: string;
  readonly description?: string;
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  /** `null` left out. */
  readonly enum?: readonly Json[];
  /** What is said of single values, by their JSON. */
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
  /** Each with all schemas that speak of it. */
  readonly properties: ReadonlyMap<string, readonly Json[]>;
  readonly required: ReadonlySet<string>;
  readonly patternProperties: ReadonlyMap<string, readonly Json[]>;
  /** Schema of properties that are not named; undefined where nothing is said of them. */
  readonly additional?: Json;
  /** Schemas of all items, to be taken together. */
  readonly items: readonly Json[];
  /** Schemas of the first items. */
  readonly prefixItems: readonly Json[];
  readonly unions: readonly Union[];
  /** Lists of properties of which one must be there. */
  readonly requiredGroups: readonly (readonly string[])[];
  readonly externalDocs?: JsonObject;
  /** The schema as written, outermost first: where extensions are looked up. */
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

/** `oneOf` or `anyOf`: readers are shown the same. */
export interface Union {
  readonly options: readonly UnionOption[];
  /** Property whose value tells the options apart. */
  readonly discriminator?: string;
}
export interface UnionOption {
  readonly schema: Json;
  /** Value of the discriminator. */
  readonly value?: string;
}

export interface SchemaReader {
  /** What schemas that all hold at once come to. */
  flatten(...schemas: readonly Json[]): FlatSchema;
}
