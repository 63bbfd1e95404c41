import type { AssistantTexts } from "../../lib/language/reader-texts.js";
import type { AssistantSettings } from "../../lib/service-settings.js";
import type { SearchHost } from "../search/search-host.js";

/** What the script with the settings gives. */
export interface AssistantStart extends AssistantSettings {
  readonly texts: AssistantTexts;
}

/** Something of the page that a question is about. */
export interface Subject {
  readonly kind: "page" | "selection" | "code";
  readonly text: string;
}

/** What the page gives to the panel. */
export interface AssistantHost extends AssistantStart {
  /** Relative URL of the bundle's root. */
  readonly root: string;
  /** The reader's version and language, if the site has several. */
  readonly filter: { readonly version?: string; readonly language?: string };
  /** Loads the search; absent if there is nothing to search. */
  readonly search?: () => Promise<SearchHost>;
  /** The button to which the focus returns. */
  readonly opener: HTMLElement;
}

export interface OpenRequest {
  /** Asked at once. */
  readonly question?: string;
  readonly subject?: Subject;
  /** Close the panel if it is open. */
  readonly toggle?: boolean;
  /** The panel was open on the page before: it takes no focus. */
  readonly again?: boolean;
}
export type OpenAssistant = (host: AssistantHost, request: OpenRequest) => void;

declare global {
  interface Window {
    /** Called by the script with the settings. */
    offprintAssistant?: (start: AssistantStart) => void;
    /** Set by the script of the panel, which is loaded when a reader first opens it. */
    offprintOpenAssistant?: OpenAssistant;
  }
}
