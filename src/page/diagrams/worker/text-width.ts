import { readFileSync } from "node:fs";
import { builtFile } from "../../../lib/package-root.js";

/** Of the shipped font, in parts of the font size: how far text reaches above and below its baseline. */
export const ascent = 0.96875;
export const descent = 0.2412;

export interface TextStyle {
  /** Pixels. */
  readonly size: number;
  readonly bold: boolean;
}

/** Of the shipped font, made by the build. */
interface FontWidths {
  readonly unitsPerEm: number;
  /** By code point. */
  readonly advances: Readonly<Record<number, number>>;
}

/** Gives the width of a text in pixels, as set in the font that comes with the bundle. */
export function createTextMeter(): (text: string, style: TextStyle) => number {
  const { unitsPerEm, advances } = JSON.parse(readFileSync(builtFile("font-widths.json"), "utf8")) as FontWidths;
  const widths = new Map<string, number>();

  const measure = (char: string): number => {
    const advance = advances[char.codePointAt(0)!];
    return advance === undefined ? widthElsewhere(char) : advance / unitsPerEm;
  };
  return (text, { size, bold }) => {
    let width = 0;
    for (const char of text) {
      let charWidth = widths.get(char);
      if (charWidth === undefined) {
        charWidth = measure(char);
        widths.set(char, charWidth);
      }
      width += charWidth;
    }
    return width * size * (bold ? boldWidening : 1);
  };
}

/** How much wider the shipped font runs at weight 700 than at 400. */
const boldWidening = 1.08;

/** Characters of fonts that do not come with the bundle, in parts of the font size. */
function widthElsewhere(char: string): number {
  if (/^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u.test(char)) return 0;
  return wide.test(char) ? 1.05 : 0.65;
}
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]$/u;
