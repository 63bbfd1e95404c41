import { accordionSlugOf } from "../address/index.js";

/**
 * Ids of a page's fields: `param-limit`, below another one `param-filter:name`. Where a page has several fields of a
 * name, the first has the plain id, and the others are told apart by the place they stand in: `param-body-id`,
 * `param-404-id`. So links to a field hold while fields of other names come and go.
 */
export interface Anchors {
  /** @param place what tells fields of one name apart: `body`, `404`, the title of an option. */
  claim(name: string, parent: string | undefined, place: string): string;
}

/** Id of a section; those of a callback carry its name. */
export const sectionId = (name: string, callback: string | undefined): string =>
  callback === undefined ? name : `${accordionSlugOf(callback)}-${name}`;

const maxSlugLength = 80;

export function createAnchors(): Anchors {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  const take = (id: string): boolean => {
    if (given.has(id)) return false;
    given.add(id);
    return true;
  };
  return {
    claim(name, parent, place) {
      const slug = slugFor(name);
      const base = parent === undefined ? "param-" : `${parent}:`;
      const plain = base + slug;
      if (take(plain)) return plain;
      const placed = `${base}${slugFor(place)}-${slug}`;
      if (take(placed)) return placed;
      let id: string;
      let count = counts.get(placed) ?? 2;
      do id = `${placed}-${count++}`;
      while (!take(id));
      counts.set(placed, count);
      return id;
    },
  };
}

const slugFor = (text: string): string => accordionSlugOf(text).slice(0, maxSlugLength) || "field";
