import { posix } from "node:path";
import ignore from "ignore";
import { type JSONVisitor, visit } from "jsonc-parser";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { nameOf } from "../../lib/url/index.js";
import defaultIgnoreRules from "./default-ignore-rules.json" with { type: "json" };

/** Whether a path relative to the site folder is ignored; a folder has `/` at its end. */
export type IgnoreTest = (path: string) => boolean;

/** The text of a file, by its path in the site; undefined if it is missing. */
type ReadSettings = (path: string) => string | undefined;

/** Beyond these limits a hostile name could keep the matcher busy for hours. */
const maxRuleCount = 2_000;
const maxStarsInName = 3;
const maxDoubleStars = 4;
/** Of the settings; no real navigation comes near. */
const maxDepth = 100;
const maxIncludedFiles = 200;

/**
 * Dot-files and the folders of build tools are not part of a site unless `.mintignore` takes them back with `!`; `build`,
 * `dist` and the like only at the top, since further down they may be chapters.
 *
 * In:    the text of `.mintignore`, "" if there is none, and further rules, both in the syntax of .gitignore. Later rules
 *        win, so `!` takes back a default. `settings` gives the text of docs.json and of the files that it includes, whose
 *        navigation takes defaults back, too.
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
      code: "IGNORE_RULE_UNUSABLE",
      severity: "error",
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
  const mayMatch = someName(all);
  return (path) => mayMatch.test(path) && rules.ignores(path);
}

/** Of the default rules that a navigation can take back, where a page has no extension, and of what includes other files. */
const namesInRules = [
  "$ref",
  ...defaultIgnoreRules
    .filter((rule) => /^(?:\/\w+|\w+\.md)$/.test(rule))
    .map((rule) => rule.replace(/^\/|\.md$/g, "")),
];

/** Rules that take back what the navigation lists: a chapter in the folder `build`, or a README that is a page. */
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
  // The set grows by the files that are included on the way.
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
      // Parsing takes a tenth of a run that finds nothing changed. A backslash may hide a name.
      if (!/\\/.test(text) && !namesInRules.some((name) => text.includes(name))) continue;
      visit(text, { onObjectBegin: begin, onObjectEnd: end, onArrayBegin: begin, onArrayEnd: end, onLiteralValue });
    } catch {
      // The reader of the settings reports that.
    }
  }
  return [...rules];
}

/**
 * An expression that every path with an excluded file or folder matches: it has a name like the most telling one of a rule.
 * To try all rules on each of thousands of paths takes several times as long.
 */
function someName(rules: readonly string[]): RegExp {
  const names = rules
    .filter((rule) => rule.trim() !== "")
    .map((rule) => {
      // Signs that may have another meaning than they seem to have.
      if (/[[\\\s]/.test(rule)) return "";
      const [longest] = rule
        .replace(/^!/, "")
        .split("/")
        .toSorted((a, b) => b.length - a.length);
      const [start = "", ...rest] = longest!.split(/[*?]+/).map((part) => part.replace(/\W/g, "\\$&"));
      return rest.length === 0 ? start : `${start}[^/]*${rest.at(-1)}`;
    });
  // Any name, if one of the rules may exclude it.
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
