/** How easy prose is to read, by the formula of Rudolf Flesch for English: 60 to 70 is plain English, 30 an academic paper. */

/** Number of words, code included. */
export const wordCount = (mdx: string): number => mdx.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Undefined for a page with too little prose to judge. */
export function readingEase(mdx: string): number | undefined {
  const sentences = sentencesOf(mdx);
  const words = sentences.flatMap((sentence) => sentence.match(/[\p{L}\p{N}’'-]+/gu) ?? []);
  if (words.length < 60) return undefined;
  const syllables = words.reduce((sum, word) => sum + syllableCount(word), 0);
  return 206.835 - (1.015 * words.length) / sentences.length - (84.6 * syllables) / words.length;
}

/** Of paragraphs and items of lists; without front matter, code, tables, tags and headings. */
export function sentencesOf(mdx: string): readonly string[] {
  const prose = mdx
    .replace(/^---\n.*?\n---\n/s, "")
    .replace(/^ *(`{3,}).*?^ *\1$/gms, "\n\n")
    .replace(/^ *(?:\||#|import |export ).*$/gm, "\n")
    .replace(/<[A-Za-z/][^>]*>/g, "\n\n")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`]+`/g, "code")
    .replace(/\{[^}]*\}/g, "")
    .replace(/[*_]{1,3}/g, "");
  return prose
    .split(/\n\s*\n|\n(?= *(?:-|\d+\.) )/)
    .flatMap((block) => block.replace(/\s+/g, " ").split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"(c])/u))
    .filter((sentence) => (sentence.match(/\p{L}+/gu) ?? []).length > 1);
}

function syllableCount(word: string): number {
  const letters = word.toLowerCase().replace(/[^a-z]/g, "");
  if (letters.length <= 3) return 1;
  const groups = letters.replace(/(?:[^laeiouy]es|[^aeiouytd]ed|[^laeiouy]e)$/, "").match(/[aeiouy]{1,2}/g);
  return Math.max(1, groups?.length ?? 1);
}
