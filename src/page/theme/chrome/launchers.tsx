import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../../lib/language/index.js";
import { Glyph } from "../icons.js";

/** Output paths and names of indexes for the search on a page. */
export interface SearchFiles {
  readonly script: string;
  readonly stylesheet: string;
  readonly indexes: readonly string[];
  /** Number of the reader's product; 0 for none. */
  readonly product: number;
}

/**
 * The button that opens the search: like a field if there is room, otherwise an icon. Without scripts, a text says that
 * the search needs one.
 *
 * For the client: `data-search` names the indexes, `data-product` is the reader's product; script and style sheet are
 * loaded on demand. The button's label is also the placeholder of the search field.
 */
export const searchEntry = (files: SearchFiles, messages: Messages, prompt: string | undefined): JsxNode => (
  <div
    class="search-entry"
    data-search={files.indexes.join(" ")}
    data-product={files.product === 0 ? undefined : files.product}
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

/** Data for the assistant on a page. */
export interface AssistantFiles {
  /** Output paths of its settings, style sheet and script. */
  readonly files: readonly string[];
  /** The reader's version and language, on sites that have several. */
  readonly version?: string | undefined;
  readonly language?: string | undefined;
}

/** The buttons that open the assistant: one with a label, and an icon for phones. */
export const assistantEntry = ({ files, version, language }: AssistantFiles, messages: Messages): JsxNode => (
  <div class="assistant-entry" data-assistant={files.join(" ")} data-version={version} data-language={language}>
    <button type="button" id="assistant-entry" class="assistant-button" aria-keyshortcuts="Control+I">
      <Glyph name="sparkles" />
      <span>{messages.ask}</span>
    </button>
    <button
      type="button"
      id="assistant-entry-mobile"
      class="assistant-button icon-button"
      aria-label={messages.askAssistant}
    >
      <Glyph name="sparkles" />
    </button>
  </div>
);
