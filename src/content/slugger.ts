/** Anchors of headings and of accordions. */

const spaces = /[\s.]+/g;
const dropped = /[^\p{L}\p{M}\p{N}\-_/&’]+/gu;

/**
 * The anchor of a heading's text: lower case, blanks and dots to `-`, a straight apostrophe to `’`; `/`, `&`, `-` and
 * `_` stay, every other sign is dropped. Empty if nothing remains.
 */
export function slugOf(text: string): string {
  return text.trim().toLowerCase().replaceAll("'", "’").replace(spaces, "-").replace(dropped, "");
}

/** The anchor of an accordion's title: words of letters and digits joined by `-`. */
export function accordionSlugOf(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

export interface Slugger {
  /** An id that no earlier call gave: `slug`, `slug-2`, `slug-3` ... */
  unique(slug: string): string;
}

/** One for each page: ids count over the whole page. */
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
