import type { AssistantTexts } from "../../lib/language/reader-texts.js";
import type { AssistantSettings } from "../../lib/service-settings.js";
import type { SearchHost } from "../search/search-host.js";

/** Settings and texts, from the script that the export writes. */
export interface AssistantStart extends AssistantSettings {
  readonly texts: AssistantTexts;
}

/** The part of the page that a question is about. */
export interface Subject {
  readonly kind: "page" | "selection" | "code";
  readonly text: string;
}

/** What the page provides to the panel. */
export interface AssistantHost extends AssistantStart {
  /** Relative URL of the bundle's root. */
  readonly root: string;
  /** The reader's version and language, if the site has several. */
  readonly filter: { readonly version?: string; readonly language?: string };
  /** Loads the search; absent if there is nothing to search. */
  readonly search?: () => Promise<SearchHost>;
  /** The button that gets the focus back. */
  readonly opener: HTMLElement;
}

export interface OpenRequest {
  /** Asked at once. */
  readonly question?: string;
  readonly subject?: Subject;
  /** Close the panel if it is open. */
  readonly toggle?: boolean;
  /** The panel was open on the previous page, so it does not take the focus. */
  readonly isReopened?: boolean;
}
export type OpenAssistant = (host: AssistantHost, request: OpenRequest) => void;

declare global {
  interface Window {
    /** The script with the settings calls it. */
    offprintAssistant?: (start: AssistantStart) => void;
    /** Set by the script of the panel, which is loaded when a reader first opens it. */
    offprintOpenAssistant?: OpenAssistant;
  }
}
