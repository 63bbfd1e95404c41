import ignore from "ignore";
import type { Diagnostic } from "../../lib/diagnostic/index.js";

/**
 * What is never part of a site unless `.mintignore` takes it back with `!`. Names that dot-folders and build tools use are
 * left out; `build`, `dist` and the like only at the top, for deeper down they are names of chapters.
 */
const defaultRules = [
  ".*",
  "!/.mintlify/",
  "/.mintlify/*",
  "!/.mintlify/skills",
  "!/.mintlify/specs",
  "!/.well-known/",
  "node_modules",
  "/build",
  "/dist",
  "/coverage",
  "/tmp",
  "/temp",
  "README.md",
  "LICENSE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "CLAUDE.md",
];

/** Says of a path relative to the site folder, `/` at the end of a folder's, whether it is left out. */
export type IgnoreTest = (path: string) => boolean;

/** More rules than this, or more wildcards in a rule, and a name made for it could hold the matcher for hours. */
const maxRuleCount = 2_000;
const maxStarsInName = 3;
const maxDoubleStars = 4;

/**
 * In:    `mintignore`, the text of `.mintignore` if there is one, and further rules, both in the syntax of .gitignore.
 *        Later rules win, so `!` takes back a default.
 * Fails: a diagnostic for the first rule that cannot be followed. Nothing may be exported then, since going on without
 *        the rule would publish what it keeps private.
 */
export function ignoreTest(mintignore: string, moreRules: readonly string[]): IgnoreTest | Diagnostic {
  const written = mintignore.split(/\r?\n/);
  const unfit = written.findIndex((rule, i) => i >= maxRuleCount || hasTooManyStars(rule));
  if (unfit !== -1) {
    return {
      code: "IGNORE_RULE_UNUSABLE",
      severity: "error",
      what:
        unfit >= maxRuleCount
          ? `.mintignore has more than ${maxRuleCount} lines.`
          : `The rule has more wildcards than can be matched in time: at most ${maxStarsInName} "*" in a name and ${maxDoubleStars} "**" in all.`,
      location: { sourcePath: ".mintignore", line: unfit + 1, column: 1, length: written[unfit]!.length },
      fix: "write a shorter rule, such as the name of the folder that is to be left out.",
    };
  }
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(defaultRules).add(written).add(moreRules);
  return (path) => rules.ignores(path);
}

function hasTooManyStars(rule: string): boolean {
  if (rule.startsWith("#")) return false;
  const runs = rule.match(/\*+/g) ?? [];
  return (
    runs.filter((run) => run.length > 1).length > maxDoubleStars ||
    rule.split("/").some((name) => (name.match(/\*+/g) ?? []).length > maxStarsInName)
  );
}
