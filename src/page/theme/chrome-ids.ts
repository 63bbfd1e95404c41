/** Ids of the parts around a page. Style sheets of sites select them; ours go by class. */
export const chromeIds: ReadonlySet<string> = new Set(
  (
    "background-color banner header navbar topbar-cta-button body-content sidebar sidebar-content navigation-items " +
    "content-area page-title multi-view-dropdown panel content pagination table-of-contents-layout table-of-contents " +
    "table-of-contents-title table-of-contents-content changelog-filters changelog-filters-content footer " +
    "search-bar-entry search-bar-entry-mobile page-context-menu page-context-menu-button mobile-nav-trigger localization-select-trigger localization-select-content"
  ).split(" "),
);
const chromeId = new RegExp(` id="(${[...chromeIds].join("|")})"`, "g");

/**
 * Where the page's own HTML has an id that a part around it has too, the part goes without: a heading "Pagination" must
 * be what `#pagination` leads to.
 *
 * @param pieces HTML of the frame and of the page in turn, the frame first
 */
export function withoutTakenIds(pieces: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  for (let at = 1; at < pieces.length; at += 2) addChromeIds(pieces[at]!, taken);
  if (taken.size === 0) return pieces;
  const without = (html: string) => html.replace(chromeId, (whole, id: string) => (taken.has(id) ? "" : whole));
  return pieces.map((piece, at) => (at % 2 === 0 ? without(piece) : piece));
}

/** Quotes stand as they are in text: ` id="footer"` may be what a page writes about. */
const isInTag = (html: string, at: number): boolean => openTag.test(html.slice(html.lastIndexOf("<", at), at));
const openTag = /^<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*"$/i;

/** Several times faster than the expression, which tries every blank of the page. */
function addChromeIds(html: string, into: Set<string>): void {
  for (let at = html.indexOf(' id="'); at >= 0; at = html.indexOf(' id="', at)) {
    const start = at + 5;
    at = html.indexOf('"', start);
    if (at < 0) return;
    const id = html.slice(start, at);
    if (chromeIds.has(id) && isInTag(html, start)) into.add(id);
  }
}
