import { cutWords } from "../../bundle/search/index.js";

/** Characters before a mark in which its statement begins. */
const maxStatement = 400;
const maxSentence = 300;
/** Fewer words in common may be chance. */
const fewestShared = 2;

/**
 * The sentence of a passage that an answer relies on where it cites it, for readers who check the answer: the one with
 * most words of the statements before the marks.
 *
 * @param answer Markdown; a mark is a link with the number of the source: `[1](https://…)`.
 * @param text of the passage, plain or Markdown.
 * @returns at most 300 characters. Undefined: no sentence has enough of the words, or the answer quotes the passage.
 */
export function usedSentence(answer: string, id: string, text: string): string | undefined {
  const cited = wordsOf(statementsBefore(answer, id).join(" "));
  const quotedIn = lettersOf(plainOf(answer));
  let best: string | undefined;
  let highest = 0;
  for (const sentence of sentencesOf(text)) {
    const words = wordsOf(sentence);
    const shared = [...words].filter((word) => cited.has(word)).length;
    // A long sentence has more words by chance.
    const score = shared / Math.sqrt(words.size);
    if (shared < fewestShared || score <= highest) continue;
    [best, highest] = [sentence, score];
  }
  return best === undefined || quotedIn.includes(lettersOf(best)) ? undefined : best;
}

function statementsBefore(answer: string, id: string): string[] {
  const statements: string[] = [];
  for (const { index } of answer.matchAll(new RegExp(`\\[${id.replace(/\D/g, "")}\\]\\(`, "g"))) {
    const before = plainOf(answer.slice(Math.max(0, index - maxStatement), index));
    statements.push(sentencesOf(before).at(-1) ?? "");
  }
  return statements;
}

/** Marks of sources go, links and emphasis become their text. */
const plainOf = (markdown: string): string =>
  markdown
    .replace(/\[\d{1,3}\]\([^()\s]*\)/g, "")
    .replace(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, "$1")
    .replace(/[*`]+|^#{1,6} |^> /gm, "");

function sentencesOf(text: string): string[] {
  return plainOf(text)
    .split(/\n+|(?<=[.!?]) +(?=\S)|(?<=[。！？])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length <= maxSentence && /[\p{L}\p{N}]/u.test(sentence));
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  // Short words of alphabets are mostly "the" and "in".
  cutWords(text, (word) => {
    if (word.length > 3 || /[^\p{Script=Latin}]/u.test(word)) words.add(word);
  });
  return words;
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
