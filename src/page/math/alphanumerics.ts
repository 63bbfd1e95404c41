/**
 * Letters in the styles of mathematics. MathML Core has no `mathvariant`: a bold x is a character of its own. For each
 * alphabet: its base in Unicode's block, and the letters that are in other blocks.
 */
interface Alphabet {
  readonly upper?: number;
  readonly lower?: number;
  readonly digits?: number;
  readonly greekUpper?: number;
  readonly greekLower?: number;
  readonly elsewhere?: Readonly<Record<string, string>>;
}

const alphabets: Readonly<Record<string, Alphabet>> = {
  bold: { upper: 0x1d400, lower: 0x1d41a, digits: 0x1d7ce, greekUpper: 0x1d6a8, greekLower: 0x1d6c2 },
  italic: { upper: 0x1d434, lower: 0x1d44e, greekUpper: 0x1d6e2, greekLower: 0x1d6fc, elsewhere: { h: "ℎ" } },
  "bold-italic": { upper: 0x1d468, lower: 0x1d482, greekUpper: 0x1d71c, greekLower: 0x1d736 },
  "double-struck": {
    upper: 0x1d538,
    lower: 0x1d552,
    digits: 0x1d7d8,
    elsewhere: { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
  },
  script: {
    upper: 0x1d49c,
    lower: 0x1d4b6,
    elsewhere: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
  },
  "bold-script": { upper: 0x1d4d0, lower: 0x1d4ea },
  fraktur: { upper: 0x1d504, lower: 0x1d51e, elsewhere: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" } },
  "bold-fraktur": { upper: 0x1d56c, lower: 0x1d586 },
  "sans-serif": { upper: 0x1d5a0, lower: 0x1d5ba, digits: 0x1d7e2 },
  "bold-sans-serif": { upper: 0x1d5d4, lower: 0x1d5ee, digits: 0x1d7ec },
  "sans-serif-italic": { upper: 0x1d608, lower: 0x1d622 },
  monospace: { upper: 0x1d670, lower: 0x1d68a, digits: 0x1d7f6 },
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
  return (
    from(alphabet.upper, 0x41, 0x5a) ??
    from(alphabet.lower, 0x61, 0x7a) ??
    from(alphabet.digits, 0x30, 0x39) ??
    from(alphabet.greekUpper, 0x391, 0x3a9) ??
    from(alphabet.greekLower, 0x3b1, 0x3c9) ??
    char
  );
}
