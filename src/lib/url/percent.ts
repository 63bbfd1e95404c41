/** Percent codes: what a writer typed is decoded once, what a page contains is encoded once. */

/** Text with invalid codes stays as it is: `100%` is a name. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes every name of a path and keeps the slashes. */
export const encodePath = (path: string): string =>
  /^[\w./~-]*$/.test(path) ? path : path.toWellFormed().split("/").map(encodeURIComponent).join("/");

/** Encodes the characters that a URL may not contain. */
export const encodeUrl = (url: string): string => url.replace(/[\s"<>\\^`{|}\p{Cc}]/gu, encodeURIComponent);

/** The fragment that leads to an element by its id. */
export const fragmentOf = (id: string): string => `#${encodeURI(id.toWellFormed()).replaceAll("#", "%23")}`;
