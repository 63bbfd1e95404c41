/** The ids of one page: what a writer chose stays, what is made from text gets `-2`, `-3` … where it is taken. */
export interface PageIds {
  /** Marks an id as the writer's own before anything is made from text. */
  reserve(id: string): void;
  /** Gives out an id the writer chose: unchanged the first time, numbered after that. */
  claim(id: string): string;
  /** Gives out an id made from text; never one that is reserved or given. */
  make(slug: string): string;
}

export function createPageIds(): PageIds {
  const reserved = new Set<string>();
  const given = new Set<string>();
  const next = new Map<string, number>();

  const make = (slug: string): string => {
    let id = slug;
    let count = next.get(slug) ?? 2;
    while (reserved.has(id) || given.has(id)) id = `${slug}-${count++}`;
    next.set(slug, count);
    given.add(id);
    return id;
  };
  const claim = (id: string): string => {
    if (given.has(id)) return make(id);
    given.add(id);
    return id;
  };
  return { reserve: (id) => void reserved.add(id), claim, make };
}
