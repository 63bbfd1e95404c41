/** The little of fontkit that is used here; the package has no types of its own. */
declare module "fontkit" {
  export interface Font {
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): { readonly advanceWidth: number };
  }
  export function create(bytes: Uint8Array): Font;
}
