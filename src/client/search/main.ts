/** The search as a reader sees it: its own script, loaded when it is first asked for. */
import { createDialog, type SearchDialog } from "./dialog.js";

/** What the page gives. */
export interface SearchHost {
  /** Loads a script of the bundle, by its path from the root. */
  readonly load: (path: string) => Promise<void>;
  /** Leads from the page to the bundle's root. */
  readonly root: string;
  /** Names of the indexes to search, the nearest first. */
  readonly indexes: readonly string[];
  /** Stands in the empty field. */
  readonly prompt: string;
}
/** @param query to start with; without one, what was last typed is kept. */
export type OpenSearch = (host: SearchHost, query?: string) => void;

let dialog: SearchDialog | undefined;

window.offprintOpenSearch = (host, query) => {
  dialog ??= createDialog(host);
  dialog.open(query);
};
