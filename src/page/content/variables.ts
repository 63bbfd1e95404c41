/** `{{name}}` in pages and their front matter, from the `variables` of docs.json. */
import { type Diagnostic, type Location, nearestName } from "../../lib/diagnostic/index.js";
import { withoutNull } from "../../lib/html/escape.js";
import type { FrontmatterValue } from "../../site/site.js";
import { type ParsedFrontmatter, parseFrontmatter } from "./frontmatter/frontmatter.js";
import { pointAt } from "./location.js";
import type { PageState } from "./page-state.js";

export interface Variables {
  /** The site defines variables. */
  readonly any: boolean;
  /** The value; for an undefined name the typed text, with a warning. */
  named(name: string, typed: string, location: Location): string;
  /**
   * Fills in defined variables. Others stay, since they can be code of other systems; with `locate`, they are reported, in code
   * only if they look like a misspelt variable. Null characters become U+FFFD.
   */
  fill(text: string, locate?: (typed: string) => Location, isCode?: boolean): string;
}

/** Where a text uses a variable. */
const variableUse = /\{\{[ \t]*([\w-]+)[ \t]*\}\}/g;

/** @param names that docs.json defines. */
function undefinedVariable(name: string, typed: string, location: Location, names: readonly string[]): Diagnostic {
  const near = nearestName(name, names);
  const what = `"${typed}" is shown as typed: docs.json defines no variable "${name}".`;
  const fix = near ? `write {{${near}}}.` : `add "${name}" to "variables" in docs.json, or write \`${typed}\` as code.`;
  return { code: "UNDEFINED_VARIABLE", severity: "warning", what, location, fix };
}

export function createVariables(values: Readonly<Record<string, string>>, page: PageState): Variables {
  const names = Object.keys(values);
  const any = names.length > 0;
  /** Whether a name in code looks like one of a variable. */
  const alike = new Map<string, boolean>();
  return {
    any,
    named(name, typed, location) {
      if (Object.hasOwn(values, name)) return values[name]!;
      page.reportOnce(`UNDEFINED_VARIABLE ${name}`, () => undefinedVariable(name, typed, location, names));
      return typed;
    },
    fill(text, locate, isCode) {
      const shown = withoutNull(text);
      if (!any || !shown.includes("{{")) return shown;
      return shown.replace(variableUse, (typed, name: string) => {
        if (Object.hasOwn(values, name)) return values[name]!;
        if (isCode && !alike.has(name)) alike.set(name, nearestName(name, names) !== undefined);
        return locate && (!isCode || alike.get(name)) ? this.named(name, typed, locate(typed)) : typed;
      });
    },
  };
}

/** Keys whose text is inline Markdown. Values of variables are escaped in it. */
const markdownKeys = new Set(["description"]);
const marks = /[\\`*_{}[\]<>$~&!|]/g;

/** Creates a `parseFrontmatter` that fills in the site's variables. Undefined names are kept and reported. */
export const createFrontmatterParser =
  (variables: Readonly<Record<string, string>>): ((source: string, sourcePath: string) => ParsedFrontmatter) =>
  (source, sourcePath) => {
    const parsed = parseFrontmatter(source, sourcePath);
    const block = source.slice(0, parsed.bodyStart);
    if (!block.includes("{{")) return parsed;
    const diagnostics: Diagnostic[] = [...parsed.diagnostics];
    const fill = (value: FrontmatterValue, key: string): FrontmatterValue => {
      if (typeof value === "string") return fillText(value, markdownKeys.has(key));
      if (Array.isArray(value)) return value.map((each: FrontmatterValue) => fill(each, key));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, name)]));
    };
    const fillText = (text: string, isMarkdown: boolean): string =>
      text.replace(variableUse, (typed, name: string) => {
        if (Object.hasOwn(variables, name))
          return isMarkdown ? variables[name]!.replace(marks, "\\$&") : variables[name]!;
        const { line, column } = pointAt(source, Math.max(0, block.indexOf(typed)));
        const location = { sourcePath, line, column, length: typed.length };
        const fault = undefinedVariable(name, typed, location, Object.keys(variables));
        if (!diagnostics.some((each) => each.what === fault.what)) diagnostics.push(fault);
        return typed;
      });
    return { ...parsed, frontmatter: fill(parsed.frontmatter, "") as ParsedFrontmatter["frontmatter"], diagnostics };
  };
