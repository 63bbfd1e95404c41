import groups from "./hooks.json" with { type: "json" };

/**
 * The elements (hooks) that style sheets of sites select, each with the hooks that may be directly around it ("" for
 * none). Sites rely on this nesting: a width of `#content-area` must not affect the examples beside the text, and a
 * background of `#navbar div` must affect both rows of the header. A page has only the hooks that it needs. The names
 * of the groups in hooks.json give the reasons.
 */
export const hooks: Readonly<Record<string, readonly string[]>> = Object.assign({}, ...Object.values(groups));

/** Ids of the page chrome. Style sheets of sites use them in selectors; ours use classes. */
export const chromeIds: ReadonlySet<string> = new Set(
  Object.keys(hooks).flatMap((hook) => (hook.startsWith("#") ? [hook.slice(1)] : [])),
);
const chromeId = new RegExp(` id="(${[...chromeIds].join("|")})"`, "g");

/**
 * Removes an id from the chrome if the page's own HTML has it too: `#pagination` must link to the heading "Pagination".
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

/** Whether the offset is inside a tag, since text can contain ` id="footer"` literally. */
const isInTag = (html: string, at: number): boolean => openTag.test(html.slice(html.lastIndexOf("<", at), at));
const openTag = /^<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*"$/i;

/** Finds ids several times faster than a regular expression, which would stop at every space of the page. */
function addChromeIds(html: string, into: Set<string>): void {
  for (let at = html.indexOf(' id="'); at >= 0; at = html.indexOf(' id="', at)) {
    const start = at + 5;
    at = html.indexOf('"', start);
    if (at < 0) return;
    const id = html.slice(start, at);
    if (chromeIds.has(id) && isInTag(html, start)) into.add(id);
  }
}
