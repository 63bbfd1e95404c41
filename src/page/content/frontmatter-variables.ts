/** `{{name}}` in front matter. */
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { FrontmatterValue } from "../../site/site.js";
import { type ParsedFrontmatter, parseFrontmatter } from "./frontmatter.js";
import { pointAt } from "./location.js";
import { undefinedVariable, variableUse } from "./variables.js";

/** Keys whose text is inline Markdown. Values of variables are escaped in it. */
const markdownKeys = new Set(["description"]);
const marks = /[\\`*_{}[\]<>$~&!|]/g;

/** Creates a `parseFrontmatter` that fills in the site's variables. Undefined names are kept and reported. */
export function createFrontmatterParser(
  variables: Readonly<Record<string, string>>,
): (source: string, sourcePath: string) => ParsedFrontmatter {
  return (source, sourcePath) => {
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
        const fault = undefinedVariable(
          name,
          typed,
          { sourcePath, line, column, length: typed.length },
          Object.keys(variables),
        );
        if (!diagnostics.some((each) => each.what === fault.what)) diagnostics.push(fault);
        return typed;
      });
    return { ...parsed, frontmatter: fill(parsed.frontmatter, "") as ParsedFrontmatter["frontmatter"], diagnostics };
  };
}
