import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { createPageLookup } from "./page-lookup.js";
import { urlPathOf } from "./url-path.js";

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
  return {
    code: "PATH_UNKNOWN",
    severity: "error",
    what: `The export was asked for "${path}", but the site has no such page.`,
    fix: nearest ? `ask for "${urlPathOf(nearest)}".` : "ask for the address of a page, such as /guides/install.",
  };
}
