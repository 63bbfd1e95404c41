import { joinPath, parseAddress } from "../../lib/url/index.js";
import { createPageIndex, createSimilarPaths } from "../links/index.js";
import { stemOf } from "./url-path.js";

/** Finds pages by what people write for them, before they have addresses. */
export interface PageLookup {
  /**
   * Source path of the page that `reference` names: with or without a slash in front, at the end or doubled, an
   * extension, `/index`, percent-encoding, `?…` and `#…`. Exact in case, as addresses are.
   */
  find(reference: string): string | undefined;
  /** The page that was probably meant: the same name in another folder, or a similar one in the same. */
  nearest(reference: string): string | undefined;
}

/** @param candidates no two of the same stem. */
export function createPageLookup(candidates: readonly string[]): PageLookup {
  const pages = createPageIndex(candidates.map((sourcePath) => [`/${stemOf(sourcePath)}`, sourcePath] as const));
  const similar = createSimilarPaths(() => candidates.map(stemOf));
  return {
    find(reference) {
      // A file's name may itself hold a "?", a "#" or a code.
      const whole = pages.get(reference.replace(/^\/+/, ""));
      const path = pathOfReference(reference);
      return whole ?? (path === undefined ? undefined : pages.find(path));
    },
    nearest(reference) {
      const path = pathOfReference(reference);
      const near = path === undefined ? undefined : similar.nearest(path);
      return near === undefined ? undefined : pages.get(near);
    },
  };
}

/** The path from the root that a reference says; undefined for an address elsewhere. */
function pathOfReference(reference: string): string | undefined {
  const address = parseAddress(reference.replace(/^\/+/, "/"));
  if (address.kind === "self") return "";
  return address.kind === "path" ? joinPath("", address.path) : undefined;
}
