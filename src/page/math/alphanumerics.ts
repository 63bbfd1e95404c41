/**
 * Letters in the styles of mathematics. MathML Core has no `mathvariant`: a bold x is a character of its own. For each
 * alphabet: its bases in Unicode's block, where small letters begin 26 places after capitals, and the letters that are
 * in other blocks.
 */
interface Alphabet {
  readonly upper: number;
  readonly digits?: number;
  readonly greek?: number;
  readonly elsewhere?: Readonly<Record<string, string>>;
}

const alphabets: Readonly<Record<string, Alphabet>> = {
  bold: { upper: 0x1d400, digits: 0x1d7ce, greek: 0x1d6a8 },
  italic: { upper: 0x1d434, greek: 0x1d6e2, elsewhere: { h: "ℎ" } },
  "bold-italic": { upper: 0x1d468, greek: 0x1d71c },
  "double-struck": {
    upper: 0x1d538,
    digits: 0x1d7d8,
    elsewhere: { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
  },
  script: {
    upper: 0x1d49c,
    elsewhere: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
  },
  "bold-script": { upper: 0x1d4d0 },
  fraktur: { upper: 0x1d504, elsewhere: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" } },
  "bold-fraktur": { upper: 0x1d56c },
  "sans-serif": { upper: 0x1d5a0, digits: 0x1d7e2 },
  "bold-sans-serif": { upper: 0x1d5d4, digits: 0x1d7ec },
  "sans-serif-italic": { upper: 0x1d608 },
  monospace: { upper: 0x1d670, digits: 0x1d7f6 },
};

/** The text in a style of MathML's `mathvariant`. Characters without such a form are unchanged. */
export function inMathStyle(text: string, style: string): string {
  const alphabet = alphabets[style];
  return alphabet ? Array.from(text, (char) => styled(char, alphabet)).join("") : text;
}

function styled(char: string, alphabet: Alphabet): string {
  const special = alphabet.elsewhere?.[char];
  if (special) return special;
  const code = char.codePointAt(0)!;
  const from = (base: number | undefined, first: number, last: number): string | undefined =>
    base !== undefined && code >= first && code <= last ? String.fromCodePoint(base + code - first) : undefined;
  const { upper, digits, greek } = alphabet;
  return (
    from(upper, 0x41, 0x5a) ??
    from(upper + 26, 0x61, 0x7a) ??
    from(digits, 0x30, 0x39) ??
    from(greek, 0x391, 0x3a9) ??
    from(greek && greek + 26, 0x3b1, 0x3c9) ??
    char
  );
}
