import { posix } from "node:path";
import ignore from "ignore";
import { type JSONVisitor, visit } from "jsonc-parser";
import { type Diagnostic, errorOf } from "../../lib/diagnostic/index.js";
import { nameOf } from "../../lib/url/index.js";
import defaultIgnoreRules from "./default-ignore-rules.json" with { type: "json" };

/** Whether a path relative to the site folder is ignored; a folder has `/` at its end. */
export type IgnoreTest = (path: string) => boolean;

/** The text of a file, by its path in the site; undefined if it is missing. */
type ReadSettings = (path: string) => string | undefined;

/** Without these limits, a hostile name could keep the matcher busy for hours. */
const maxRuleCount = 2_000;
const maxStarsInName = 3;
const maxDoubleStars = 4;
/** Limits of the settings, far above any real navigation. */
const maxDepth = 100;
const maxIncludedFiles = 200;

/**
 * Creates the test for ignored files. Dot-files and the folders of build tools are ignored unless `.mintignore` re-includes
 * them with `!`; `build`, `dist` and the like only at the top, since further down they may be chapters.
 *
 * In:    the text of `.mintignore`, "" if there is none, and further rules, both in the syntax of .gitignore. Later rules
 *        win, so `!` overrides a default. `settings` returns the text of docs.json and of the files that it includes, whose
 *        navigation overrides defaults, too.
 * Fails: a diagnostic for the first rule that is refused. Nothing may be exported then: without the rule, private files
 *        would be published.
 */
export function ignoreTest(
  mintignore: string,
  moreRules: readonly string[],
  settings: ReadSettings,
): IgnoreTest | Diagnostic {
  const written = mintignore.split(/\r?\n/);
  const unfit = written.findIndex((rule, i) => i >= maxRuleCount || hasTooManyStars(rule));
  if (unfit !== -1) {
    return {
      ...errorOf("IGNORE_RULE_UNUSABLE"),
      what:
        unfit >= maxRuleCount
          ? `.mintignore has more than ${maxRuleCount} lines.`
          : `The rule has too many wildcards: at most ${maxStarsInName} "*" per name and ${maxDoubleStars} "**" in total are allowed.`,
      location: { sourcePath: ".mintignore", line: unfit + 1, column: 1, length: written[unfit]!.length },
      fix: "write a shorter rule, such as the name of the folder to ignore.",
    };
  }
  const all = [...defaultIgnoreRules, ...rulesOfNavigation(settings), ...written, ...moreRules];
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(all);
  const mayMatch = namesOfRules(all);
  return (path) => mayMatch.test(path) && rules.ignores(path);
}

/** Names of the default rules that a navigation can override, without extension, and `$ref`, which includes files. */
const namesInRules = [
  "$ref",
  ...defaultIgnoreRules
    .filter((rule) => /^(?:\/\w+|\w+\.md)$/.test(rule))
    .map((rule) => rule.replace(/^\/|\.md$/g, "")),
];

/** Rules that re-include what the navigation lists: a chapter in the folder `build`, or a README that is a page. */
function rulesOfNavigation(settings: ReadSettings): string[] {
  const rules = new Set<string>();
  const add = (written: string): void => {
    const path = written.replace(/^\/+/, "");
    const folder = `/${path.split("/")[0]}`;
    if (/[^\w/.-]/.test(path)) return;
    if (path.includes("/") && defaultIgnoreRules.includes(folder)) rules.add(`!${folder}`);
    const file = path.endsWith(".md") ? path : `${path}.md`;
    if (defaultIgnoreRules.includes(nameOf(file))) rules.add(`!/${file}`);
  };
  const root = ["docs.json", "mint.json"].find((name) => settings(name) !== undefined);
  // Included files are added to the set while it is iterated.
  const files = new Set(root === undefined ? [] : [root]);
  for (const file of files) {
    let depth = 0;
    const begin = (): void => {
      if (++depth > maxDepth) throw new RangeError("The settings are nested too deep.");
    };
    const end = (): void => void depth--;
    const onLiteralValue: JSONVisitor["onLiteralValue"] = (value, _offset, _length, _line, _column, path) => {
      if (typeof value !== "string" || (file === root && path()[0] !== "navigation")) return;
      if (path().at(-1) !== "$ref") add(value);
      else if (files.size < maxIncludedFiles && value.endsWith(".json"))
        files.add(posix.join(value.startsWith("/") ? "." : posix.dirname(file), value));
    };
    try {
      const text = settings(file) ?? "";
      // Parse only if needed, since that takes a tenth of a run in which nothing has changed. A backslash may hide a name.
      if (!/\\/.test(text) && !namesInRules.some((name) => text.includes(name))) continue;
      visit(text, { onObjectBegin: begin, onObjectEnd: end, onArrayBegin: begin, onArrayEnd: end, onLiteralValue });
    } catch {
      // The reader of the settings reports the fault.
    }
  }
  return [...rules];
}

/**
 * An expression that matches every path to which a rule may apply: it tests for the longest name of each rule. Testing all
 * rules on each of thousands of paths takes several times as long.
 */
function namesOfRules(rules: readonly string[]): RegExp {
  const names = rules
    .filter((rule) => rule.trim() !== "")
    .map((rule) => {
      // A rule with character classes or escapes may match any name.
      if (/[[\\\s]/.test(rule)) return "";
      const [longest] = rule
        .replace(/^!/, "")
        .split("/")
        .toSorted((a, b) => b.length - a.length);
      const [start = "", ...rest] = longest!.split(/[*?]+/).map((part) => part.replace(/\W/g, "\\$&"));
      return rest.length === 0 ? start : `${start}[^/]*${rest.at(-1)}`;
    });
  // Match every path if a rule may match any name.
  return new RegExp(names.includes("") ? "" : `(?:^|/)(?:${names.join("|")})(?:/|$)`);
}

function hasTooManyStars(rule: string): boolean {
  if (rule.startsWith("#")) return false;
  const runs = rule.match(/\*+/g) ?? [];
  return (
    runs.filter((run) => run.length > 1).length > maxDoubleStars ||
    rule.split("/").some((name) => (name.match(/\*+/g) ?? []).length > maxStarsInName)
  );
}
