import type { RootContent } from "mdast";
import type { Location } from "../../../lib/diagnostic/index.js";
import type { ReadExpression } from "../expressions/estree.js";
import type { Interpreter } from "../expressions/interpret.js";
import type { Mode, ModuleSources, Scope } from "../expressions/scope.js";
import type { Value } from "../expressions/values.js";
import type { MarkdownModule } from "../modules.js";
import type { PageState } from "../page-state.js";
import type { Variables } from "../variables.js";

export interface ExpansionOptions extends ModuleSources {
  readonly readExpression: ReadExpression;
  /** The properties that a built-in component reads. */
  readonly propNamesOf?: ((component: string) => ReadonlySet<string> | undefined) | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** Whether formulas are read. */
  readonly latex: boolean;
  /** Parses a repaired tag, which was hidden from the parser. */
  readonly parseTag: (source: string) => RootContent[];
}

/** The parts of the expander that evaluating expressions, attributes and components needs. */
export interface Expansion {
  readonly page: PageState;
  readonly options: ExpansionOptions;
  readonly interpreter: Interpreter;
  readonly variables: Variables;
  /** Expands the nodes of a file. */
  children(nodes: readonly RootContent[], scope: Scope, mode: Mode): RootContent[];
  /** Runs `make` one level deeper in the tree. @throws {Stop} at the limit. */
  deeper<T>(make: () => T): T;
  /** Copies of nodes that an expression refers to, since they can appear in several places. */
  copies(nodes: readonly RootContent[], mode: Mode, location: Location): RootContent[];
  /** A string of the tree as typed, with variables filled in. */
  unmaskedText(text: string, scope: Scope, node: RootContent): string;
  /** Reports the diagnostics of parsing a file, once a page. */
  reportFile(module: MarkdownModule): void;
  /** @param props set for a file that is used as a component. */
  scopeOf(module: MarkdownModule, props?: { readonly [key: string]: Value }): Scope;
}
