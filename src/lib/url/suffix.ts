/** The suffix of an address: `?query#fragment`, either or both may be absent. */
import { decodePercent, encodeUrl, fragmentOf } from "./percent.js";

/** Percent-encodes what the writer has not encoded. */
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

/** The suffix of a link with the suffix `own` after a redirect: as in a browser, the redirect's query and fragment win. */
export function redirectedSuffix(own: string, ofRedirect: string): string {
  const [query, fragment] = splitSuffix(own);
  const [newQuery, newFragment] = splitSuffix(ofRedirect);
  return (newQuery || query) + (newFragment || fragment);
}

function splitSuffix(suffix: string): readonly [query: string, fragment: string] {
  const hash = suffix.indexOf("#");
  return hash < 0 ? [suffix, ""] : [suffix.slice(0, hash), suffix.slice(hash)];
}
