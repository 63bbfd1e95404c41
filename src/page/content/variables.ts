/** `{{name}}` from the `variables` of docs.json. */
import { type Diagnostic, type Location, nearestName } from "../../lib/diagnostic/index.js";
import { withoutNull } from "../../lib/html/escape.js";
import type { PageState } from "./page-state.js";

export interface Variables {
  /** The site defines variables. */
  readonly any: boolean;
  /** The value; for an undefined name the typed text, with a warning. */
  named(name: string, typed: string, location: Location): string;
  /** Fills in defined variables. Others may be code of other systems and are kept. A null character becomes U+FFFD. */
  fill(text: string): string;
}

/** Where a text uses a variable. */
export const variableUse = /\{\{[ \t]*([A-Za-z0-9-]+)[ \t]*\}\}/g;

/** @param known names that docs.json defines. */
export function undefinedVariable(
  name: string,
  typed: string,
  location: Location,
  known: readonly string[],
): Diagnostic {
  const near = nearestName(name, known);
  return {
    code: "UNDEFINED_VARIABLE",
    severity: "warning",
    what: `"${typed}" is shown as typed: docs.json defines no variable "${name}".`,
    location,
    fix: near ? `write {{${near}}}.` : `add "${name}" to "variables" in docs.json, or write \`${typed}\` as code.`,
  };
}

export function createVariables(values: Readonly<Record<string, string>>, page: PageState): Variables {
  const names = Object.keys(values);
  const any = names.length > 0;
  return {
    any,
    named(name, typed, location) {
      if (Object.hasOwn(values, name)) return values[name]!;
      page.reportOnce(`UNDEFINED_VARIABLE ${name}`, () => undefinedVariable(name, typed, location, names));
      return typed;
    },
    fill(text) {
      const shown = withoutNull(text);
      if (!any || !shown.includes("{{")) return shown;
      return shown.replace(variableUse, (typed, name: string) => (Object.hasOwn(values, name) ? values[name]! : typed));
    },
  };
}
