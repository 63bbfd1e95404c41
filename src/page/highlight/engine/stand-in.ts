/**
 * A line's stand-in of the same length, made of ASCII characters alone: a letter stands for a letter, a blank for a
 * blank, and for everything else a character that no grammar knows. Grammars distinguish almost nothing beyond
 * ASCII, and regular expressions that need not either are several times smaller and faster.
 */
export function standIn(line: string): string {
  if (!beyondAscii.test(line)) return line;
  return line.replace(beyondAsciiRuns, (run) => {
    let out = "";
    for (const char of run)
      out += (isUpper.test(char) ? "Z" : isWord.test(char) ? "z" : isBlank.test(char) ? " " : "\x7f").repeat(
        char.length,
      );
    return out;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what is meant.
const beyondAscii = /[^\x00-\x7f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what is meant.
const beyondAsciiRuns = /[^\x00-\x7f]+/g;
const isUpper = /\p{Lu}/u;
const isWord = /[\p{L}\p{M}\p{N}]/u;
const isBlank = /\s/;
