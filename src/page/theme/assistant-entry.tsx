import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";
import { Glyph } from "./glyphs.js";

/** What the assistant needs on a page. */
export interface AssistantFiles {
  /** Output paths of its settings, style sheet and script. */
  readonly files: readonly string[];
  /** The reader's version and language, on sites that have several. */
  readonly version?: string | undefined;
  readonly language?: string | undefined;
}

/** The buttons that open the assistant: one with a label, and an icon for phones. */
export function assistantEntry({ files, version, language }: AssistantFiles, messages: Messages): JsxNode {
  return (
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
}
