/**
 * The elements that style sheets of sites select, each with the hooks that may be directly around it ("" for none).
 * Their rules rely on this nesting: a width of `#content-area` must not affect the examples beside the text, and a
 * background of `#navbar div` must affect both rows of the header. A page has those that it needs.
 */
export const hooks: Readonly<Record<string, readonly string[]>> = {
  "#background-color": [""],
  "#banner": [""],

  // The whole header: the bar, and the tabs in a row of their own or in the bar.
  "#navbar": [""],
  "#mobile-nav-trigger": ["#navbar"],
  ".nav-logo": ["#navbar", "#mobile-nav-content"],
  "#search-bar-entry": ["#navbar"],
  "#search-bar-entry-mobile": ["#navbar"],
  ".topbar-right-container": ["#navbar"],
  // List items: the rules are about the link in them (`#topbar-cta-button a`).
  ".navbar-link": [".topbar-right-container"],
  "#topbar-cta-button": [".topbar-right-container"],
  ".nav-tabs": ["#navbar"],
  ".nav-tabs-item": [".nav-tabs"],
  ".mobile-nav-tabs-item": ["#mobile-nav-content"],

  // Switchers are in the header or above the navigation; tabs have menus too.
  ".nav-dropdown-trigger": ["#navbar", ".topbar-right-container", "#sidebar-content"],
  ".nav-dropdown-content": ["#navbar", ".topbar-right-container", ".nav-tabs", "#sidebar-content"],
  ".nav-dropdown-item": [".nav-dropdown-content", ".nav-dropdown-products-selector-content"],
  ".nav-dropdown-products-selector-trigger": ["#sidebar-content"],
  ".nav-dropdown-products-selector-content": ["#sidebar-content"],
  ".nav-dropdown-products-selector-item": [".nav-dropdown-products-selector-content"],
  "#localization-select-trigger": [".topbar-right-container"],
  "#localization-select-content": [".topbar-right-container"],
  ".localization-select-item": ["#localization-select-content"],

  "#body-content": [""],
  "#sidebar": ["#body-content"],
  // A phone shows the navigation in a dialog.
  "#mobile-nav": [""],
  "#mobile-nav-content": ["#mobile-nav"],
  "#sidebar-content": ["#sidebar", "#mobile-nav-content"],
  "#navigation-items": ["#sidebar-content"],
  ".nav-anchors": ["#navigation-items"],
  ".nav-anchor": [".nav-anchors"],
  ".sidebar-group-header": ["#navigation-items"],
  ".sidebar-title": [".sidebar-group-header"],
  ".sidebar-group": ["#navigation-items", ".sidebar-group"],
  ".sidebar-nav-group-divider": ["#navigation-items"],

  // Text and side column are next to each other, so that a width, an order or a font of one leaves the other alone.
  "#content-container": ["#body-content"],
  "#content-area": ["#content-container"],
  "#header": ["#content-area"],
  ".eyebrow": ["#header"],
  ".breadcrumb-list": [".eyebrow"],
  ".breadcrumb-item": [".breadcrumb-list"],
  // A missing page has nothing around its title.
  "#page-title": ["#header", "#content-area"],
  "#multi-view-dropdown": ["#header"],
  "#changelog-filters": ["#header"],
  "#changelog-filters-content": ["#changelog-filters"],
  "#page-context-menu": ["#header", "#content-side-layout"],
  "#page-context-menu-button": ["#page-context-menu"],
  "#content": ["#content-area"],
  ".directory": ["#content-area"],
  "#pagination": ["#content-area"],
  ".pagination-prev": ["#pagination"],
  ".pagination-next": ["#pagination"],
  ".pagination-title": [".pagination-prev", ".pagination-next"],
  // Social links end the text; columns of links end the whole page.
  "#footer": ["#content-area", ""],

  "#content-side-layout": ["#content-container"],
  "#panel": ["#content-side-layout"],
  "#table-of-contents-layout": ["#content-side-layout"],
  "#table-of-contents": ["#table-of-contents-layout"],
  "#table-of-contents-title": ["#table-of-contents"],
  "#table-of-contents-content": ["#table-of-contents"],
  ".toc": ["#table-of-contents-content"],
  ".toc-item": [".toc"],
};

/** Ids of the page chrome. Style sheets of sites select by them; ours by class. */
export const chromeIds: ReadonlySet<string> = new Set(
  Object.keys(hooks).flatMap((hook) => (hook.startsWith("#") ? [hook.slice(1)] : [])),
);
const chromeId = new RegExp(` id="(${[...chromeIds].join("|")})"`, "g");

/**
 * Removes an id from the chrome if the page's own HTML has it too: `#pagination` must lead to the heading "Pagination".
 *
 * @param pieces HTML of the chrome and of the page alternately, the chrome first
 */
export function withoutTakenIds(pieces: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  for (let at = 1; at < pieces.length; at += 2) addChromeIds(pieces[at]!, taken);
  if (taken.size === 0) return pieces;
  const without = (html: string) => html.replace(chromeId, (whole, id: string) => (taken.has(id) ? "" : whole));
  return pieces.map((piece, at) => (at % 2 === 0 ? without(piece) : piece));
}

/** Text can contain ` id="footer"` literally, so the match must be inside a tag. */
const isInTag = (html: string, at: number): boolean => openTag.test(html.slice(html.lastIndexOf("<", at), at));
const openTag = /^<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*"$/i;

/** Several times faster than a regular expression, which would try at every space of the page. */
function addChromeIds(html: string, into: Set<string>): void {
  for (let at = html.indexOf(' id="'); at >= 0; at = html.indexOf(' id="', at)) {
    const start = at + 5;
    at = html.indexOf('"', start);
    if (at < 0) return;
    const id = html.slice(start, at);
    if (chromeIds.has(id) && isInTag(html, start)) into.add(id);
  }
}
