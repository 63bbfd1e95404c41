/** Words in a row that make a repetition of the rules. */
const longestRun = 8;

/**
 * Finds a model that repeats its instructions.
 *
 * Out:   true once the answer so far has eight words in a row of `secret`, each followed by another character. Where the
 *        answer is cut changes nothing.
 */
export function createRepetitionCheck(secret: string): (text: string) => boolean {
  const words = wordsOf(secret);
  const runs = new Set(words.map((_, index) => words.slice(index, index + longestRun).join(" ")));
  let last: string[] = [];
  let partial = "";
  return (text) => {
    const read = partial + text;
    const end = /[\p{L}\p{N}]*$/u.exec(read)?.index ?? read.length;
    partial = read.slice(end);
    for (const word of wordsOf(read.slice(0, end))) {
      last = [...last, word].slice(-longestRun);
      if (last.length === longestRun && runs.has(last.join(" "))) return true;
    }
    return false;
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
