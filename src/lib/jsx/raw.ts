import type { Literal } from "hast";

/** HTML that our own code made (highlighted code, formulas, icons): written without escaping. */
export interface Raw extends Literal {
  type: "raw";
  value: string;
}

declare module "hast" {
  interface Data {
    isSvg?: boolean;
    /** Name of an icon as the page writes it, without the library. */
    iconName?: string;
  }
  interface ElementContentMap {
    raw: Raw;
  }
  interface RootContentMap {
    raw: Raw;
  }
}

export const raw = (html: string): Raw => ({ type: "raw", value: html });

/** Shapes for the inside of an `svg` element. */
export const rawShapes = (svg: string): Raw => ({ type: "raw", value: svg, data: { isSvg: true } });
