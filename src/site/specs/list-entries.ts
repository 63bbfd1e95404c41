import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { ApiSpec } from "../api-spec.js";
import { createEntryReader, type SpecEntry } from "./entry-reader.js";
import { kindOf } from "./kinds.js";

export interface SpecEntries {
  /** In the order written: operations, then webhooks; or channels. */
  readonly entries: readonly SpecEntry[];
  /** Computed when read: locations need a second pass over the text, and page threads need none. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Twice the size of the largest real APIs; each entry is a page. */
const maxEntries = 20_000;

/**
 * Lists the entries of a specification. An entry that is not an object is reported and left out.
 *
 * @param key of the specification in the targets of pages.
 */
export function listEntries(spec: ApiSpec, key: string): SpecEntries {
  const reader = createEntryReader(spec, key);
  const entries = kindOf(spec.format).listEntries(reader);
  if (reader.unreportedCount() > 0) {
    const what = `${spec.source} has ${reader.unreportedCount()} more faults of this kind.`;
    reader.warn("SPEC_ENTRY_INVALID", "#", what, "fix the listed ones first.");
  }
  const firstExtra = entries[maxEntries];
  if (firstExtra !== undefined) {
    const what = `${spec.source} describes ${entries.length} operations; only the first ${maxEntries} get pages.`;
    reader.warn("SPEC_TOO_MANY", firstExtra.pointer, what, "split the API into several specifications.");
  }
  return {
    entries: entries.slice(0, maxEntries),
    get diagnostics() {
      return reader.diagnostics();
    },
  };
}
