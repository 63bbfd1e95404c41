import type { CharSet } from "./char-set.js";

/** A regular expression of a grammar, reduced to what ASCII text can distinguish. */
export type PatternNode =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence" | "choice"; readonly items: readonly PatternNode[] }
  /** `index` starts at 1, in the order of opening brackets. */
  | { readonly kind: "capture"; readonly index: number; readonly body: PatternNode }
  | { readonly kind: "atomic"; readonly body: PatternNode }
  | {
      readonly kind: "repeat";
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly body: PatternNode;
    }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean; readonly body: PatternNode }
  | { readonly kind: "lineStart" | "lineEnd" | "wordEdge" | "noWordEdge" | "searchStart" }
  | { readonly kind: "back"; readonly index: number }
  /** The pattern of another group, or of the enclosing one. */
  | { readonly kind: "call"; readonly index: number };

export interface ParsedPattern {
  readonly root: PatternNode;
  readonly captureCount: number;
  /** Groups that the pattern itself refers to. */
  readonly references: ReadonlySet<number>;
}

/** Matches nothing. */
export const never: PatternNode = { kind: "choice", items: [] };
export const empty: PatternNode = { kind: "sequence", items: [] };

export const sequence = (items: readonly PatternNode[]): PatternNode =>
  items.length === 1 ? items[0]! : { kind: "sequence", items };
export const choice = (items: readonly PatternNode[]): PatternNode =>
  items.length === 1 ? items[0]! : { kind: "choice", items };
