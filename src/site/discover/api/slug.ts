/**
 * A part of a generated page's address, from a summary, tag or path: blanks and path parameters become hyphens, signs
 * go, letters are lower case. By the rules of the format's first implementation, so that links to such pages hold:
 * of a run of hyphens each two become one.
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
