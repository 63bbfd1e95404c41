import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";

/** Of the shipped font, in parts of the font size: how far text reaches above and below its baseline. */
export const ascent = 0.96875;
export const descent = 0.2412;

export interface TextStyle {
  /** Pixels. */
  readonly size: number;
  readonly bold: boolean;
}

/** Gives the width of a text in pixels, as set in the font that comes with the bundle. */
export function createTextMeter(): (text: string, style: TextStyle) => number {
  const faces = [lazyFace("latin"), lazyFace("latin-ext")];
  const widths = new Map<string, number>();

  const measure = (char: string): number => {
    const codePoint = char.codePointAt(0)!;
    for (const face of faces) {
      const font = face();
      if (font.hasGlyphForCodePoint(codePoint)) return font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm;
    }
    return widthElsewhere(char);
  };
  return (text, { size, bold }) => {
    let width = 0;
    for (const char of text) {
      let own = widths.get(char);
      if (own === undefined) {
        own = measure(char);
        widths.set(char, own);
      }
      width += own;
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

function lazyFace(subset: string): () => Font {
  let font: Font | undefined;
  return () => {
    font ??= create(
      readFileSync(require.resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`)),
    );
    return font;
  };
}
const require = createRequire(import.meta.url);
