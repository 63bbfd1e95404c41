import { type Diagnostic, spelledAlike } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { joinPath, parseAddress } from "../../lib/url/index.js";
import { createPageIndex, createSimilarPaths, withoutExtension } from "../links/index.js";
import { stemOf, urlPathOf } from "./output-paths.js";

/** Finds pages by references in the navigation, before they have addresses. */
export interface PageLookup {
  /**
   * Source path of the page that `reference` names: with or without extra slashes, an extension, `/index`,
   * percent-encoding, `?…` and `#…`. Case-sensitive, like addresses.
   */
  find(reference: string): string | undefined;
  /** The page whose path differs in case, hyphens, underscores and blanks only. */
  spelledAlike(reference: string): string | undefined;
  /** The pages of a folder and of those in it, as the navigation writes them. */
  below(folder: string): readonly string[];
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
    below: (folder) => stems().filter((stem) => stem.startsWith(`${folder}/`)),
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

/**
 * The ids of the pages that the caller selects; undefined for all. A path is written as in the navigation or as an
 * address: `guides/install`, `/guides/install`, `guides/install.mdx`.
 *
 * @param ids of all pages.
 * @param fileOf the path of a page, or for a generated page the path it would have.
 */
export function selectPaths(
  paths: readonly string[] | undefined,
  ids: readonly string[],
  fileOf: (id: string) => string,
): { readonly selected?: ReadonlySet<string>; readonly diagnostics: readonly Diagnostic[] } {
  if (paths === undefined) return { diagnostics: [] };
  const byFile = new Map(ids.map((id) => [fileOf(id), id]));
  const lookup = createPageLookup([...byFile.keys()]);
  const selected = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const file = lookup.find(path);
    if (file !== undefined) selected.add(byFile.get(file)!);
    else diagnostics.push(unknownPath(path, lookup.nearest(path)));
  }
  return { selected, diagnostics };
}

function unknownPath(path: string, nearest: string | undefined): Diagnostic {
  const what = `The export should include "${path}", but the site has no such page.`;
  const fix = nearest ? `write "${urlPathOf(nearest)}".` : "write the path of a page, such as /guides/install.";
  return { code: "PATH_UNKNOWN", severity: "error", what, fix };
}
