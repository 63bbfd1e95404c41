import type { Json } from "../../../lib/json/index.js";
import type { TextPattern } from "./text-pattern.js";

/** A step of a JSONPath as it was read. */
export interface Segment {
  /** `..`: of the value and everything in it. */
  readonly descendants: boolean;
  readonly selectors: readonly Selector[];
}
export type Step =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number };
/** Of a list; what is absent is as in JavaScript's `slice`, in the direction of `step`, which is not 0. */
export interface Slice {
  readonly kind: "slice";
  readonly start?: number;
  readonly end?: number;
  readonly step: number;
}
export type Selector = Step | Slice | { readonly kind: "all" } | { readonly kind: "filter"; readonly filter: Filter };

export type Filter =
  | { readonly kind: "or" | "and"; readonly parts: readonly Filter[] }
  | { readonly kind: "not"; readonly part: Filter }
  | { readonly kind: "exists"; readonly query: Query }
  | { readonly kind: "compare"; readonly left: Operand; readonly operator: string; readonly right: Operand }
  /** `match`, which is about the whole text, or `search`. An expression that stands in the path is read with it. */
  | {
      readonly kind: "match" | "search";
      readonly text: Operand;
      readonly pattern: Operand | { readonly kind: "pattern"; readonly pattern: TextPattern };
    };
/** What gives one value, or nothing. */
export type Operand =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "query"; readonly query: Query }
  | { readonly kind: "length"; readonly of: Operand }
  | { readonly kind: "count" | "value"; readonly query: Query };
/** A path within a filter. */
export interface Query {
  /** From the value that is looked at, or from the whole document. */
  readonly from: "@" | "$";
  readonly segments: readonly Segment[];
  /** The same, where it can lead to one place only. */
  readonly steps?: readonly Step[];
}
