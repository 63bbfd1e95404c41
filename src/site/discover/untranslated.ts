import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { NavEntry } from "../config/index.js";
import { type PagePlan, pathInLanguage } from "../site.js";

/** So many pages are named. */
const maxNamed = 5;

/**
 * One hint for each language that lacks pages of the default language and version. A language that has fewer of them than it
 * lacks is left out: its authors chose a few pages, or translated the paths, too.
 */
export function reportUntranslated(entries: readonly NavEntry[], pages: readonly PagePlan[]): Diagnostic[] {
  const languages = entries.flatMap((entry) => (entry.kind === "language" ? [entry] : []));
  const shown = pages.filter(({ visible, api }) => visible && api === undefined);
  const [main] = languages.filter(({ label }) => shown.some((page) => page.language === label && page.inDefaultScope));
  if (main === undefined) return [];
  const pathsOf = (label: string): Set<string> =>
    new Set(shown.filter((page) => page.language === label).map(pathInLanguage));
  const wanted = new Set(shown.filter((page) => page.inDefaultScope).map(pathInLanguage));
  return languages.flatMap(({ label, location }): Diagnostic[] => {
    const own = pathsOf(label);
    const missing = [...wanted].filter((path) => !own.has(path));
    if (label === main.label || missing.length === 0 || missing.length * 2 >= wanted.size) return [];
    const named = missing.slice(0, maxNamed).map((path) => `"/${label}${path === "/" ? "" : path}"`);
    const rest = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : "";
    return [
      {
        code: "PAGE_UNTRANSLATED",
        severity: "hint",
        what: `The language "${label}" has no version of ${missing.length} page${missing.length === 1 ? "" : "s"} of "${main.label}".`,
        location,
        fix: `translate ${named.join(", ")}${rest}, and list ${missing.length === 1 ? "it" : "them"}; until then, readers come to the first page.`,
      },
    ];
  });
}
