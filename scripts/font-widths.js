// The widths of the shipped font's characters, in which diagrams are measured.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "fontkit";

/** If both files have a character, the first one counts, as in a browser. */
export function fontWidths(root) {
  const faces = ["latin", "latin-ext"].map((subset) =>
    create(readFileSync(join(root, `node_modules/@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`))),
  );
  const [{ unitsPerEm }] = faces;
  if (faces.some((face) => face.unitsPerEm !== unitsPerEm)) throw new Error("The files of the font differ in scale.");
  const advances = {};
  for (const face of faces)
    for (const codePoint of face.characterSet)
      if (face.hasGlyphForCodePoint(codePoint)) advances[codePoint] ??= face.glyphForCodePoint(codePoint).advanceWidth;
  return { unitsPerEm, advances };
}
