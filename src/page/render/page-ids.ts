/** The ids of one page. A written id is kept; an id made from text gets `-2`, `-3` … if it is taken. */
export interface PageIds {
  /** Reserves a written id before any id is made from text. */
  reserve(id: string): void;
  /** Returns a written id: unchanged the first time, numbered after that. */
  claim(id: string): string;
  /** Returns an id made from text that is neither reserved nor taken. */
  make(slug: string): string;
  /** Runs `work` and returns the ids it took; undefined if one differs from the requested one. */
  record<T>(work: () => T): { readonly result: T; readonly ids: RecordedIds | undefined };
  /** Takes recorded ids again if all of them are free, otherwise none. */
  repeat(ids: RecordedIds): boolean;
}

/** Requested ids that were all free. */
export interface RecordedIds {
  readonly claimed: readonly string[];
  readonly made: readonly string[];
}

/** @param prefix of the ids made from text. */
export function createPageIds(prefix = ""): PageIds {
  const reserved = new Set<string>();
  const taken = new Set<string>();
  const next = new Map<string, number>();

  let log: { claimed: string[]; made: string[]; isAsRequested: boolean } | undefined;

  const make = (slug: string): string => {
    let id = prefix + slug;
    let count = next.get(slug) ?? 2;
    while (reserved.has(id) || taken.has(id)) id = `${prefix}${slug}-${count++}`;
    next.set(slug, count);
    taken.add(id);
    if (log) {
      log.made.push(id);
      log.isAsRequested &&= id === slug;
    }
    return id;
  };
  const claim = (id: string): string => {
    if (taken.has(id)) {
      if (log) log.isAsRequested = false;
      return make(id);
    }
    taken.add(id);
    log?.claimed.push(id);
    return id;
  };
  return {
    reserve: (id) => void reserved.add(id),
    claim,
    make,
    record(work) {
      const requests = { claimed: [], made: [], isAsRequested: true };
      log = requests;
      try {
        const result = work();
        const { claimed, made, isAsRequested } = requests;
        return { result, ids: isAsRequested ? { claimed, made } : undefined };
      } finally {
        log = undefined;
      }
    },
    repeat({ claimed, made }) {
      if (claimed.some((id) => taken.has(id)) || made.some((id) => taken.has(id) || reserved.has(id))) return false;
      for (const id of claimed) claim(id);
      for (const slug of made) make(slug);
      return true;
    },
  };
}
