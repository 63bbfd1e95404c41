import type { Diagnostic } from "../diagnostic/diagnostic.js";
import type { PageLookup } from "./page-lookup.js";
import { urlPathOf } from "./url-path.js";

/**
 * The pages that the caller asked for, by source path; undefined where all are wanted. A path is written as in a
 * navigation or as an address: `guides/install`, `/guides/install`, `guides/install.mdx`.
 */
export function selectPaths(
  paths: readonly string[] | undefined,
  lookup: PageLookup,
): { readonly selected?: ReadonlySet<string>; readonly diagnostics: readonly Diagnostic[] } {
  if (paths === undefined) return { diagnostics: [] };
  const selected = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const sourcePath = lookup.find(path);
    if (sourcePath !== undefined) selected.add(sourcePath);
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
