import type { Literal } from "hast";

/** HTML that our own code made (highlighted code, formulas, icons): written without escaping. */
export interface Raw extends Literal {
  type: "raw";
  value: string;
}

declare module "hast" {
  interface ElementContentMap {
    raw: Raw;
  }
  interface RootContentMap {
    raw: Raw;
  }
}

export const raw = (html: string): Raw => ({ type: "raw", value: html });
