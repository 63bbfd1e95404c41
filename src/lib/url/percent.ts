/** Percent codes: what a writer typed is decoded once, what a page holds is encoded once. */

/** Text whose codes are broken stays as it is: `100%` is a name. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every name of a path encoded, the slashes kept. */
export const encodePath = (path: string): string =>
  /^[\w./~-]*$/.test(path) ? path : path.toWellFormed().split("/").map(encodeURIComponent).join("/");

/** A URL as typed, without what no URL may hold. */
export const encodeUrl = (url: string): string => url.replace(/[\s"<>\\^`{|}\p{Cc}]/gu, encodeURIComponent);

/** Address of an element of the page by its id. */
export const fragmentOf = (id: string): string => `#${encodeURI(id.toWellFormed()).replaceAll("#", "%23")}`;
