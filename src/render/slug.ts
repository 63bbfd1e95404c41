/** Anchors that are made from text. The rule for headings is the one that content gives headings their ids by. */

/**
 * For what reads like a heading: lower case, blanks and dots to `-`, a straight apostrophe to `’`; `/`, `&`, `-` and
 * `_` stay, every other sign is dropped. Empty if nothing remains.
 */
export const headingSlug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll("'", "’")
    .replace(/[\s.]+/g, "-")
    .replace(/[^\p{L}\p{M}\p{N}\-_/&’]+/gu, "");

/** For disclosures and fields, whose ids are joined by `:`: words of letters and digits joined by `-`. */
export const wordSlug = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
