/** What our components in live islands say, by the names that the site's languages have for it. A `%` is a gap. */
export const englishWords = {
  attributes: "child attributes",
  code: "Code",
  codeIn: "% code",
  copy: "Copy",
  hide: "Hide %",
  show: "Show %",
} as const;

type Word = keyof typeof englishWords;

/** @param words of the page's language; empty for English. */
export const createSay =
  (words: ReadonlyMap<string, string>) =>
  (word: Word): string =>
    words.get(word) ?? englishWords[word];
export type Say = ReturnType<typeof createSay>;
