/** Reports on pages that are larger than what can be exported. */
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { maxTreeDepth } from "./tree-shape.js";

export const tooManyNodes = (location: Location): Diagnostic => ({
  code: "PAGE_TOO_MANY_NODES",
  severity: "error",
  what: "The page is too large with its snippets included; the rest is left out.",
  location,
  fix: "split it into several pages, or include fewer snippets.",
});

export const tooDeep = (location: Location): Diagnostic => ({
  code: "NESTING_TOO_DEEP",
  severity: "error",
  what: `Lists, quotes or elements are nested more than ${maxTreeDepth} deep; the levels below are left out.`,
  location,
  fix: "use fewer levels: browsers stop at 512 nested elements.",
});
