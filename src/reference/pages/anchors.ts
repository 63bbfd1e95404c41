import { accordionSlug } from "../../lib/url/index.js";

export type Anchors = ReturnType<typeof createAnchors>;

/** The possible ids of a field in order of preference, and the one it got. */
export interface Claim {
  readonly plain: string;
  readonly qualified: string;
  readonly id: string;
}

/** The number of closed parts around a section: a callback is one. */
export const foldsAround = (callback: string | undefined): number => (callback === undefined ? 0 : 1);

/** Id of a section; in a callback, it begins with the callback's name. */
export const sectionId = (name: string, callback: string | undefined): string =>
  callback === undefined ? name : `${accordionSlug(callback)}-${name}`;

const maxSlugLength = 80;

/**
 * Ids of a page's fields: `param-limit`, below another field `param-filter:name`. Of several fields with one name the
 * first has the plain id; the others add their context: `param-body-id`, `param-404-id`. So links to a field survive
 * when fields of other names come and go.
 */
export function createAnchors() {
  const usedIds = new Set<string>();
  const counts = new Map<string, number>();
  let log: Claim[] | undefined;

  const firstFree = (...ids: readonly string[]): string | undefined => ids.find((id) => !usedIds.has(id));
  const numbered = (qualified: string): string => {
    let id: string;
    let count = counts.get(qualified) ?? 2;
    do id = `${qualified}-${count++}`;
    while (usedIds.has(id));
    counts.set(qualified, count);
    return id;
  };
  return {
    /** @param qualifier distinguishes fields of one name: `body`, `404`, the title of an option. */
    claim(name: string, parent: string | undefined, qualifier: string): string {
      const slug = slugFor(name);
      const base = parent === undefined ? "param-" : `${parent}:`;
      const plain = base + slug;
      const qualified = `${base}${slugFor(qualifier)}-${slug}`;
      const id = firstFree(plain, qualified) ?? numbered(qualified);
      usedIds.add(id);
      log?.push({ plain, qualified, id });
      return id;
    },
    /** Prefix of the ids of fields that a script adds later, below a field or in a section. */
    prefix: (parent: string | undefined, qualifier: string): string =>
      parent === undefined ? `param-${slugFor(qualifier)}-` : `${parent}:`,
    /** Runs `write` and returns the claims that it made. */
    record<T>(write: () => T): { readonly result: T; readonly claims: readonly Claim[] } {
      const claims: Claim[] = [];
      log = claims;
      try {
        return { result: write(), claims };
      } finally {
        log = undefined;
      }
    },
    /** Repeats claims if each gets the same id again; otherwise makes none of them. */
    repeat(claims: readonly Claim[]): boolean {
      const taken: string[] = [];
      const isSame = ({ plain, qualified, id }: Claim): boolean => {
        // Numbered ids depend on all earlier claims, so they cannot be repeated.
        if (firstFree(plain, qualified) !== id) return false;
        usedIds.add(id);
        taken.push(id);
        return true;
      };
      if (claims.every(isSame)) return true;
      for (const id of taken) usedIds.delete(id);
      return false;
    },
  };
}

const slugFor = (text: string): string => accordionSlug(text).slice(0, maxSlugLength) || "field";
