import { spelledAlike } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { joinPath, parseAddress } from "../../lib/url/index.js";
import { createPageIndex, createSimilarPaths, withoutExtension } from "../links/index.js";
import { stemOf } from "./url-path.js";

/** Finds pages by references in the navigation, before they have addresses. */
export interface PageLookup {
  /**
   * Source path of the page that `reference` names: with or without extra slashes, an extension, `/index`,
   * percent-encoding, `?…` and `#…`. Case-sensitive, like addresses.
   */
  find(reference: string): string | undefined;
  /** The page whose path differs in case, hyphens, underscores and blanks only. */
  spelledAlike(reference: string): string | undefined;
  /** The most similar page: the same name in another folder, or a similar name in the same folder. */
  nearest(reference: string): string | undefined;
}

/** @param candidates no two of the same stem. */
export function createPageLookup(candidates: readonly string[]): PageLookup {
  const pages = createPageIndex(candidates.map((sourcePath) => [`/${stemOf(sourcePath)}`, sourcePath] as const));
  const stems = lazy(() => candidates.map(stemOf));
  const similar = createSimilarPaths(stems);
  return {
    find(reference) {
      // A file's name may itself contain a "?", a "#" or a percent code.
      const whole = pages.get(reference.replace(/^\/+/, ""));
      const path = pathOfReference(reference);
      return whole ?? (path === undefined ? undefined : pages.find(path));
    },
    spelledAlike(reference) {
      const path = pathOfReference(reference);
      const alike = path === undefined ? undefined : spelledAlike(withoutExtension(path), stems());
      return alike === undefined ? undefined : pages.get(alike);
    },
    nearest(reference) {
      const path = pathOfReference(reference);
      const near = path === undefined ? undefined : similar.nearest(path);
      return near === undefined ? undefined : pages.get(near);
    },
  };
}

/** The path of a reference, from the root; undefined for an external address. */
function pathOfReference(reference: string): string | undefined {
  const address = parseAddress(reference.replace(/^\/+/, "/"));
  if (address.kind === "self") return "";
  return address.kind === "path" ? joinPath("", address.path) : undefined;
}
