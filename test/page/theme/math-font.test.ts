/** The files into which `scripts/split-math-font.py` splits the font of formulas. */
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const styles = join(root, "src/page/theme/styles");
interface Font {
  readonly characterSet: readonly number[];
  hasGlyphForCodePoint(char: number): boolean;
}
/** The package has no types. */
const { create } = createRequire(import.meta.url)("fontkit") as { create(data: Uint8Array): Font };
const open = (path: string): Font => create(readFileSync(path));
const whole = open(join(root, "node_modules/@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"));
const sheet = readFileSync(join(styles, "on-demand/math.css"), "utf8");

/** As in a browser, the last face that has a character in its range counts. */
const faces = [...sheet.matchAll(/url\("\.\.\/(math\/.+?)"\).*?unicode-range:(.+?);/gs)]
  .toReversed()
  .map(([, path, ranges]) => {
    const parts = ranges!.split(",").map((part) => {
      const [from, to = from] = part.trim().slice(2).split("-");
      return [Number.parseInt(from!, 16), Number.parseInt(to!, 16)] as const;
    });
    return { path: path!, has: (char: number) => parts.some(([from, to]) => from <= char && char <= to) };
  });

test("every character of the font except full-width ones is in the file of its range", () => {
  const missing: string[] = [];
  const fonts = new Map(faces.map(({ path }) => [path, open(join(styles, path))]));
  for (const char of whole.characterSet) {
    const face = faces.find(({ has }) => has(char));
    if (face === undefined ? char < 0x3000 : !fonts.get(face.path)!.hasGlyphForCodePoint(char))
      missing.push(char.toString(16));
  }
  expect(missing).toEqual([]);
});

test("a typical formula needs one file, a tenth of the whole font", () => {
  const usual =
    "∫∑∏√()[]{}|‖⟨⟩⌈⌉⌊⌋⏞⏟‾ˆ˜→↦⇒⇔=+−×÷±≤≥≠≈∞∂∇∀∃∈∉⊂∪∩∅′…⋯⋮αβγδεθλμπστφωΓΔΘΛΣΦΨΩℝℕℤℚℂℓℏℒ𝑎𝑧𝐴𝑍𝛼𝜔0123456789,.;:!";
  for (const char of usual)
    expect(faces.find(({ has }) => has(char.codePointAt(0)!))?.path, char).toBe("math/basic.woff2");
  expect(readFileSync(join(styles, "math/basic.woff2")).length).toBeLessThan(50_000);
  expect(globSync("math/*.woff2", { cwd: styles }).toSorted()).toEqual(faces.map(({ path }) => path).toSorted());
});
