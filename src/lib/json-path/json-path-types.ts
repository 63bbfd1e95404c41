import type { Json } from "../json/index.js";
import type { TextPattern } from "./text-pattern.js";

/** A segment of a parsed JSONPath. */
export interface Segment {
  /** `..`: applies to the value and everything in it. */
  readonly descendants: boolean;
  readonly selectors: readonly Selector[];
}
export type Step =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number };
/** A slice of a list; absent bounds are as in JavaScript's `slice`, in the direction of `step`, which is not 0. */
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
  /** `match` tests the whole text, `search` any part. A literal expression is parsed with the path. */
  | {
      readonly kind: "match" | "search";
      readonly text: Operand;
      readonly pattern: Operand | { readonly kind: "pattern"; readonly pattern: TextPattern };
    };
/** An operand: one value, or nothing. */
export type Operand =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "query"; readonly query: Query }
  | { readonly kind: "length"; readonly of: Operand }
  | { readonly kind: "count" | "value"; readonly query: Query };
/** A path within a filter. */
export interface Query {
  /** Relative to the current value, or to the whole document. */
  readonly from: "@" | "$";
  readonly segments: readonly Segment[];
  /** The same, if it can select only one value. */
  readonly steps?: readonly Step[];
}
