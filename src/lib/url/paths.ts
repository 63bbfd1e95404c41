/** Paths of files and pages, relative to the site's root, without a leading slash. */

import { attempt } from "../attempt.js";

/** The folder of a file, `""` for the site folder itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Resolves a path typed in a file of `folder`: no `.`, `..` and empty names; never above the root. */
export function joinPath(folder: string, path: string): string {
  const names: string[] = folder === "" ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}

/** A form that is equal for two paths that some file system treats as the same. Upper case first: ß is SS, ſ is S. */
export function foldPath(path: string): string {
  if (/^[ -~]*$/.test(path)) return path.toLowerCase();
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/** Decodes percent codes; a text with invalid codes stays as it is: `100%` is a name. */
export const decodePercent = (text: string): string =>
  text.includes("%") ? (attempt(() => decodeURIComponent(text)) ?? text) : text;

/** Encodes every name of a path and keeps the slashes. */
export const encodePath = (path: string): string =>
  /^[\w./~-]*$/.test(path) ? path : path.toWellFormed().split("/").map(encodeURIComponent).join("/");

/** Encodes the characters that a URL may not contain. */
export const encodeUrl = (url: string): string => url.replace(/[\s"<>\\^`{|}\p{Cc}]/gu, encodeURIComponent);

/** The fragment of a link to an element with this id. */
export const fragmentOf = (id: string): string => `#${encodeURI(id.toWellFormed()).replaceAll("#", "%23")}`;

/** Percent-encodes what is not encoded in the suffix of an address: `?query#fragment`, either or both may be absent. */
export function encodeSuffix(suffix: string): string {
  const hash = suffix.indexOf("#");
  if (hash < 0) return encodeUrl(suffix);
  return encodeUrl(suffix.slice(0, hash)) + encodeFragment(suffix.slice(hash));
}

function encodeFragment(fragment: string): string {
  if (/^#[\w/:.~-]*$/.test(fragment)) return fragment;
  // In a text fragment, a comma and an encoded comma have different meanings.
  return fragment.startsWith("#:~:") ? encodeUrl(fragment) : fragmentOf(decodePercent(fragment.slice(1)));
}

/** The suffix of a link after a redirect: as in a browser, the redirect's query and fragment win. */
export function redirectedSuffix(suffix: string, ofRedirect: string): string {
  const [query, fragment] = splitSuffix(suffix);
  const [newQuery, newFragment] = splitSuffix(ofRedirect);
  return (newQuery || query) + (newFragment || fragment);
}

function splitSuffix(suffix: string): readonly [query: string, fragment: string] {
  const hash = suffix.indexOf("#");
  return hash < 0 ? [suffix, ""] : [suffix.slice(0, hash), suffix.slice(hash)];
}
