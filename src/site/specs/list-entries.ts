import type { ApiSpec } from "../api-spec.js";
import { createEntryReader } from "./entry-reader.js";
import { kindOf } from "./kinds.js";

/** Twice as many as the largest real APIs have; each entry becomes a page. */
const maxEntries = 20_000;

/**
 * Lists the entries of a specification in the order written: operations, then webhooks; or channels, parts of a schema, or
 * workflows. An entry that is not an object is reported and left out.
 *
 * @param key key of the specification in the targets of pages.
 */
export function listEntries(spec: ApiSpec, key: string) {
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
    /** Computed on access: locations need a second pass over the text, and page threads do not use them. */
    get diagnostics() {
      return reader.diagnostics();
    },
  };
}
