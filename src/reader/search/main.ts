/** The search script, loaded by the 404 page and when a reader first opens the search. */

import { search } from "../../bundle/search/engine/engine.js";
import { createDialog } from "./dialog.js";
import { markFoundWords } from "./excerpt.js";
import { showNearPages } from "./near-pages.js";
import { createOpener } from "./search-host.js";

let dialog: ReturnType<typeof createDialog> | undefined;

window.offprintOpenSearch = (host, query) => {
  dialog ??= createDialog(host);
  dialog.open(query);
};
window.offprintMarkFound = markFoundWords;
window.offprintShowNear = showNearPages;
window.offprintFind = async (host, query) => {
  const indexes = await Promise.all(host.indexes.map(createOpener(host)));
  const { hits } = await search(indexes, query, host.product);
  return Promise.all(hits.map((hit) => hit.read?.() ?? hit));
};
