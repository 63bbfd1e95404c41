import type { AskedWords } from "./asked-words.js";
import type { TextWords } from "./text-words.js";

export const passageLength = 1500;

/** The text of a section, then its code, as far as they fit; of a longer text the part with most of what is asked for. */
export function passageText(text: string, code: string, words: AskedWords, textWords: TextWords): string {
  if (text.length > passageLength) return bestPart(text, words, textWords);
  const room = passageLength - text.length - 1;
  if (code === "" || room < 40) return text;
  return text === "" ? cutAt(code, passageLength) : `${text}\n${cutAt(code, room)}`;
}

/** Whole lines, or else whole characters. */
function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf("\n", length);
  return text.slice(0, end > length / 2 ? end : length).toWellFormed();
}

/** Begins at a sentence. */
function bestPart(text: string, words: AskedWords, textWords: TextWords): string {
  const sentences = textWords.sentencesOf(text);
  const weights = sentences.map((sentence) => words.weightOf(sentence.words));
  let best = 0;
  let most = -1;
  let sum = 0;
  let end = 0;
  for (const [at, { start }] of sentences.entries()) {
    while (end < sentences.length && (sentences[end + 1]?.start ?? text.length) - start <= passageLength)
      sum += weights[end++]!;
    if (sum > most) [best, most] = [start, sum];
    if (end <= at) end = at + 1;
    else sum -= weights[at]!;
  }
  return text
    .slice(best, best + passageLength)
    .trim()
    .toWellFormed();
}
