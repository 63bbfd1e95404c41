import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { PageContent } from "../page/content/index.js";
import type { PagePlan } from "../site/site.js";

/** Content of a page whose only text is what went wrong with it. */
export function errorContent(diagnostic: Diagnostic): PageContent {
  const { line, column } = diagnostic.location ?? {};
  return {
    tree: { type: "root", children: [{ type: "parseError", reason: diagnostic.what, excerpt: "", line, column }] },
    ok: false,
    snippets: [],
    diagnostics: [],
  };
}

export function pageFailed(plan: PagePlan, error: unknown): Diagnostic {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const at = error instanceof Error ? (error.stack?.split("\n")[1]?.trim() ?? "") : "";
  return {
    code: "PAGE_FAILED",
    severity: "error",
    what: `The page could not be rendered (${reason}; ${at.replace(/\(?file:.*\/dist\//, "(")}).`,
    location: { sourcePath: plan.sourcePath },
    fix: "this is a bug of Offprint: please report it with the page.",
  };
}
