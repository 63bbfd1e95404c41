import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";
import { Glyph } from "./glyphs.js";

/** What the search of a page needs: output paths, and the names of the indexes that its readers search. */
export interface SearchFiles {
  readonly script: string;
  readonly stylesheet: string;
  readonly indexes: readonly string[];
}

/**
 * The button that opens the search: like a field where there is room, a drawing where there is not. Shown where a script
 * runs; where none does, it says why there is no search.
 *
 * For the client: `data-search` names the indexes; the script and the style sheet are loaded when they are wanted. What
 * stands in the button stands in the empty field too.
 */
export function SearchEntry({
  files,
  messages,
  prompt,
}: {
  readonly files: SearchFiles;
  readonly messages: Messages;
  readonly prompt?: string;
}): JsxNode {
  return (
    <div
      class="search-entry"
      data-search={files.indexes.join(" ")}
      data-script={files.script}
      data-style={files.stylesheet}
    >
      <button type="button" id="search-bar-entry" class="search-button" aria-keyshortcuts="Control+K">
        <Glyph name="search" />
        <span class="search-label">{prompt ?? `${messages.search}…`}</span>
        <kbd class="search-keys" aria-hidden="true">
          Ctrl K
        </kbd>
      </button>
      <button type="button" id="search-bar-entry-mobile" class="search-button icon-button" aria-label={messages.search}>
        <Glyph name="search" />
      </button>
      <span class="search-needs-script">{messages.searchNeedsScript}</span>
    </div>
  );
}
