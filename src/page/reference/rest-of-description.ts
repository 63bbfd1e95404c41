import type { RootContent } from "mdast";

/** The part of a description that is not shown under the title. */
export function restOfDescription(
  whole: string | undefined,
  shown: string | undefined,
  read: (markdown: string) => RootContent[],
): RootContent[] {
  if (whole === undefined) return [];
  const text = whole.trim();
  const rest = text.slice(lengthOfStart(text, shown?.trim() ?? ""));
  return rest === "" ? [] : read(rest);
}

/** The length of the start of a text that is already shown, ignoring line breaks; 0 if the text begins differently. */
function lengthOfStart(text: string, shown: string): number {
  let at = 0;
  for (const word of shown.split(/\s+/)) {
    if (!text.startsWith(word, at)) return 0;
    gap.lastIndex = at + word.length;
    at = gap.lastIndex + gap.exec(text)![0].length;
  }
  return at;
}
/** White space, and the backslash of a hard line break. */
const gap = /(?:\s|\\(?=\r?\n))*/y;
