/** Anchors of headings and of accordions. */

const blanks = /[\s.]+/g;
/** ASCII punctuation other than `$ & - / _`, and invisible characters. */
const dropped = /[!"#%'()*+,:;<=>?@[\\\]^`{|}~\p{Cc}\p{Cf}]+|^_+/gu;

/**
 * The anchor of a heading's text: lower case, blanks and dots become `-`, a straight apostrophe becomes `’`; ASCII
 * punctuation other than `/ & $ - _` is dropped, other characters stay. Empty if nothing remains.
 */
export function headingSlug(text: string): string {
  return text.trim().toLowerCase().replace(blanks, "-").replaceAll("'", "’").replace(dropped, "");
}

/** Latin words, like most names of fields. */
const plainWords = /^[a-z\d]+(?:[-_][a-z\d]+)*$/i;

/** The anchor of an accordion's title: words of letters and digits joined by `-`. */
export function accordionSlug(title: string): string {
  if (plainWords.test(title)) return title.toLowerCase().replaceAll("_", "-");
  return title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

export interface Slugger {
  /** An id that no earlier call returned: `slug`, `slug-2`, `slug-3` ... */
  unique(slug: string): string;
}

/** One for each page: ids are unique in a page. */
export function createSlugger(): Slugger {
  const used = new Map<string, number>();
  return {
    unique(slug) {
      let count = used.get(slug);
      if (count === undefined) {
        used.set(slug, 1);
        return slug;
      }
      let id: string;
      do id = `${slug}-${++count}`;
      while (used.has(id));
      used.set(slug, count);
      used.set(id, 1);
      return id;
    },
  };
}
