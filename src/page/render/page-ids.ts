/** The ids of one page: what a writer chose stays, what is made from text gets `-2`, `-3` … where it is taken. */
export interface PageIds {
  /** Marks an id as the writer's own before anything is made from text. */
  reserve(id: string): void;
  /** Gives out an id the writer chose: unchanged the first time, numbered after that. */
  claim(id: string): string;
  /** Gives out an id made from text; never one that is reserved or given. */
  make(slug: string): string;
  /** Runs `work` and gives the ids that it was given; undefined if one of them differs from what was asked for. */
  record<T>(work: () => T): { readonly result: T; readonly ids: RecordedIds | undefined };
  /** Gives these out again, if each is free as it was then; else none of them. */
  repeat(ids: RecordedIds): boolean;
}

/** Ids as they were asked for, all of which were free. */
export interface RecordedIds {
  readonly claimed: readonly string[];
  readonly made: readonly string[];
}

export function createPageIds(): PageIds {
  const reserved = new Set<string>();
  const given = new Set<string>();
  const next = new Map<string, number>();

  let log: { claimed: string[]; made: string[]; isAsAsked: boolean } | undefined;

  const make = (slug: string): string => {
    let id = slug;
    let count = next.get(slug) ?? 2;
    while (reserved.has(id) || given.has(id)) id = `${slug}-${count++}`;
    next.set(slug, count);
    given.add(id);
    if (log) {
      log.made.push(id);
      log.isAsAsked &&= id === slug;
    }
    return id;
  };
  const claim = (id: string): string => {
    if (given.has(id)) {
      if (log) log.isAsAsked = false;
      return make(id);
    }
    given.add(id);
    log?.claimed.push(id);
    return id;
  };
  return {
    reserve: (id) => void reserved.add(id),
    claim,
    make,
    record(work) {
      const own = { claimed: [], made: [], isAsAsked: true };
      log = own;
      try {
        const result = work();
        const { claimed, made, isAsAsked } = own;
        return { result, ids: isAsAsked ? { claimed, made } : undefined };
      } finally {
        log = undefined;
      }
    },
    repeat({ claimed, made }) {
      if (claimed.some((id) => given.has(id)) || made.some((id) => given.has(id) || reserved.has(id))) return false;
      for (const id of claimed) claim(id);
      for (const slug of made) make(slug);
      return true;
    },
  };
}
