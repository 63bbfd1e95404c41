/** The state of expanding one page: its diagnostics, its limits, the files it consists of. */
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { type Budget, createBudget, type Environment } from "./expressions/values.js";
import type { MarkdownModule } from "./modules.js";

/** A component without properties that renders one island. */
export interface IslandRoot {
  /** The file that contains it. */
  readonly module: MarkdownModule;
  /** The body of an arrow function. */
  readonly source: string;
}

export interface PageState {
  /** The page itself; nodes of other files are marked with theirs. */
  readonly sourcePath: string;
  readonly source: string;
  readonly budget: Budget;
  /** Other files that were read. */
  readonly snippets: Set<string>;
  /** The names of each file in use, by path. */
  readonly environments: Map<string, Environment>;
  /** Files and components being expanded, outermost first. */
  readonly stack: string[];
  readonly diagnostics: Diagnostic[];
  /** For a JavaScript engine to render. */
  readonly islands: IslandRoot[];
  /** Adds a diagnostic, unless the page has it already. */
  report(diagnostic: Diagnostic): void;
  /** Reports once for each `key`. */
  reportOnce(key: string, diagnostic: () => Diagnostic): void;
}

export function createPageState({ sourcePath, source }: MarkdownModule): PageState {
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  const once = (key: string, make: () => Diagnostic): void => {
    if (seen.has(key)) return;
    seen.add(key);
    diagnostics.push(make());
  };
  return {
    sourcePath,
    source,
    budget: createBudget(),
    snippets: new Set(),
    environments: new Map(),
    stack: [sourcePath],
    diagnostics,
    islands: [],
    report: (diagnostic) =>
      once(`${diagnostic.code} ${locationKey(diagnostic.location)} ${diagnostic.what}`, () => diagnostic),
    reportOnce: once,
  };
}

const locationKey = (location: Location | undefined): string =>
  location === undefined ? "" : `${location.sourcePath}:${location.line ?? ""}:${location.column ?? ""}`;
