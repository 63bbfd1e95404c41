/** The search dialog: a script of its own, loaded when a reader first opens the search. */
import { createDialog, type SearchDialog } from "./dialog.js";

let dialog: SearchDialog | undefined;

window.offprintOpenSearch = (host, query) => {
  dialog ??= createDialog(host);
  dialog.open(query);
};
