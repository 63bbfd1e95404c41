/** The search: a script of its own, loaded when a reader first opens the dialog, and on the page for unknown addresses. */
import { createDialog, type SearchDialog } from "./dialog.js";
import { showNearPages } from "./near-pages.js";

let dialog: SearchDialog | undefined;

window.offprintOpenSearch = (host, query) => {
  dialog ??= createDialog(host);
  dialog.open(query);
};
window.offprintShowNear = showNearPages;
