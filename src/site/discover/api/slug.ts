/**
 * A part of a generated page's address, from a summary, tag or path: blanks and path parameters become hyphens, punctuation
 * is dropped, letters are lower case. As in the format's first implementation, so that existing links work, every two
 * hyphens in a row become one.
 */
export function slugOf(text: string): string {
  return text
    .trim()
    .replaceAll(" ", "-")
    .replace(/\{[^}]*\}/g, "-")
    .replace(/^-|-$/g, "")
    .replace(/[{}(),.'\n/]/g, "")
    .replaceAll("--", "-")
    .replace(/[?#\\%"\p{Cc}]/gu, "")
    .toLowerCase();
}
