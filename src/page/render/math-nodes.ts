import type { Data, Literal } from "mdast";

/** Formulas, as remark-math makes them. */
export interface Math extends Literal {
  type: "math";
  meta?: string | null;
  data?: Data;
}
export interface InlineMath extends Literal {
  type: "inlineMath";
  data?: Data;
}
