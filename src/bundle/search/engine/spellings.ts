/** The simplified form of each traditional Chinese character. */
export type Variants = ReadonlyMap<string, string>;

export const hasHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** More would read many files. */
const mostSpellings = 12;

/** The spellings of a word of one or two characters in traditional and simplified Chinese, the word itself first. */
export function spellingsOf(word: string, variants: Variants): string[] {
  let spellings = [""];
  for (const character of word) {
    const forms = formsOf(character, variants);
    spellings = spellings.flatMap((start) => forms.map((form) => start + form));
  }
  return spellings.slice(0, mostSpellings);
}

function formsOf(character: string, variants: Variants): string[] {
  const simple = variants.get(character) ?? character;
  const forms = new Set([character, simple]);
  for (const [traditional, other] of variants) if (other === simple) forms.add(traditional);
  return [...forms];
}

export const simplified = (text: string, variants: Variants): string =>
  variants.size === 0 ? text : Array.from(text, (character) => variants.get(character) ?? character).join("");

/** @param pairs each traditional character, then its simplified form. */
export const readVariants = (pairs: string): Variants =>
  new Map(Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i]!, pairs[2 * i + 1]!]));
