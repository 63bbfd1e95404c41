import { type JobModule, limits, type SentModule } from "./protocol.js";

/**
 * What a process keeps: modules of the site occur on many pages, so their texts are sent once, and run as bytecode from
 * then on. A text of a file, or that was sent before, gets a slot; the text that was used least recently gives it up.
 */
export function createKeptTexts() {
  /** The texts of the last modules with their slots, if they have one. */
  let texts = new Map<string, number | undefined>();
  let free: number[] = [];
  return {
    /** Call when a process is started. */
    forget(): void {
      texts = new Map();
      free = Array.from({ length: limits.keptCount }, (_, i) => i);
    },
    /** What to send next. */
    pack({ id, text, deps, isShared = false }: JobModule): SentModule {
      if (text.length > limits.keptLength) return { id, text, deps };
      const isKept = isShared || texts.has(text);
      const known = texts.get(text);
      const slot = known ?? (isKept ? free.pop() : undefined);
      texts.delete(text);
      texts.set(text, slot);
      if (texts.size > limits.keptCount) {
        const [oldest, freed] = texts.entries().next().value!;
        texts.delete(oldest);
        if (freed !== undefined) free.push(freed);
      }
      return { id, deps, ...(known === undefined ? { text } : {}), ...(slot === undefined ? {} : { slot }) };
    },
  };
}
