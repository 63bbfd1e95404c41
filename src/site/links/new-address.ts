import type { Rewrite } from "../../lib/diagnostic/index.js";

/** What is likely meant by an address that leads nowhere. */
export interface Suggestion {
  /** Similar, with a leading slash. */
  readonly path: string;
  /** It is the same file with another extension. */
  readonly certain: boolean;
}

/** What an address can hold in Markdown, in a tag and in JSON without escapes. */
const plain = /^[\p{L}\p{N}\-._~/@+=:,;!$&*]*$/u;

/** How to mend the address of an image that the site does not have. */
export const addImage = (source: string): string =>
  /^(?!\/\/)[^:]+\.\w+$/.test(source)
    ? `add ${source.replace(/^\.?\//, "")}, or write the path of another image of the site.`
    : "write the path of an image of the site.";

/**
 * The address that leads to `path`, in place of `written`: its query and fragment stay, and so do its dots, extension and
 * missing slash where only the names differ in case.
 *
 * @param path with a leading slash, decoded; one that an address would have to escape gives nothing
 */
export function newAddress(written: string, path: string, certain = true): Rewrite[] {
  if (!plain.test(path)) return [];
  const [, lead, names, extension, suffix] = addressParts.exec(written)!;
  const isSame = certain && names !== "" && path.toLowerCase().endsWith(`/${names!.toLowerCase()}`);
  const inForm = isSame ? `${lead}${path.slice(-names!.length)}${extension}${suffix}` : written;
  return [{ written, replacement: inForm === written ? path + suffix : inForm, certain, places: [] }];
}

const addressParts = /^((?:\.{0,2}\/)*)([^?#]*?)((?:\.(?:mdx?|html?))?)((?:[?#].*)?)$/s;
