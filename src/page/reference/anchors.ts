import { accordionSlugOf } from "../../lib/url/index.js";

/**
 * Ids of a page's fields: `param-limit`, below another one `param-filter:name`. Where a page has several fields of a
 * name, the first has the plain id, and the others are told apart by the place they stand in: `param-body-id`,
 * `param-404-id`. So links to a field hold while fields of other names come and go.
 */
export interface Anchors {
  /** @param place what tells fields of one name apart: `body`, `404`, the title of an option. */
  claim(name: string, parent: string | undefined, place: string): string;
  /** Runs `write` and gives the claims that it made. */
  record<T>(write: () => T): { readonly result: T; readonly claims: readonly Claim[] };
  /** Makes the claims again if each would get the same id as then; else makes none. */
  repeat(claims: readonly Claim[]): boolean;
}

/** The ids that a field could have, in the order in which they are tried, and the one it got. */
export interface Claim {
  readonly plain: string;
  readonly placed: string;
  readonly id: string;
}

/** Id of a section; those of a callback carry its name. */
export const sectionId = (name: string, callback: string | undefined): string =>
  callback === undefined ? name : `${accordionSlugOf(callback)}-${name}`;

const maxSlugLength = 80;

export function createAnchors(): Anchors {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  let log: Claim[] | undefined;

  const numbered = (placed: string): string => {
    let id: string;
    let count = counts.get(placed) ?? 2;
    do id = `${placed}-${count++}`;
    while (given.has(id));
    counts.set(placed, count);
    return id;
  };
  return {
    claim(name, parent, place) {
      const slug = slugFor(name);
      const base = parent === undefined ? "param-" : `${parent}:`;
      const plain = base + slug;
      const placed = `${base}${slugFor(place)}-${slug}`;
      const id = !given.has(plain) ? plain : !given.has(placed) ? placed : numbered(placed);
      given.add(id);
      log?.push({ plain, placed, id });
      return id;
    },
    record(write) {
      const claims: Claim[] = [];
      log = claims;
      try {
        return { result: write(), claims };
      } finally {
        log = undefined;
      }
    },
    repeat(claims) {
      const taken: string[] = [];
      const isSame = ({ plain, placed, id }: Claim): boolean => {
        // Numbers depend on all that came before.
        const wouldBe = !given.has(plain) ? plain : !given.has(placed) ? placed : undefined;
        if (wouldBe !== id) return false;
        given.add(id);
        taken.push(id);
        return true;
      };
      if (claims.every(isSame)) return true;
      for (const id of taken) given.delete(id);
      return false;
    },
  };
}

const slugFor = (text: string): string => accordionSlugOf(text).slice(0, maxSlugLength) || "field";
