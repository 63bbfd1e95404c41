/** Shows `{expressions}` of the page. */
import type { RootContent } from "mdast";
import type { Position } from "unist";
import { expressionName } from "../expressions/operators.js";
import type { Mode, Scope } from "../expressions/scope.js";
import { Environment, Stop } from "../expressions/values.js";
import { nodeLocation } from "../location.js";
import { wrapLoose } from "../tree-shape.js";
import type { Expansion } from "./expansion.js";
import { expressionIsland } from "./islands.js";
import { asStop, nodesOfValue, reportAbsent, type Shown, showStopped } from "./show-value.js";

export function expressionNodes(
  node: RootContent & { readonly value: string },
  scope: Scope,
  mode: Mode,
  expander: Expansion,
): RootContent[] {
  const parsed = expander.options.readExpression(node.value);
  if (parsed.kind === "empty") return [];
  const { line, column } = node.position?.start ?? { line: 1, column: 1 };
  const code = { text: node.value, sourcePath: scope.module.sourcePath, line, column: column + 1, shift: 1 };
  const shown = shownAt(node, scope, mode);
  const { islands } = expander.page;
  const islandCount = islands.length;
  let nodes: RootContent[];
  try {
    if (parsed.kind !== "tree") throw new Stop("text", "expression");
    const value = expander.interpreter.evaluate(parsed.node, new Environment(code, scope.env));
    // In a snippet, a property that its user did not give is empty on purpose.
    if (value === undefined && parsed.node.type === "MemberExpression" && !scope.shared)
      reportAbsent(expressionName(parsed.node), shown, expander);
    nodes = nodesOfValue(value, shown, expander);
  } catch (error) {
    const stop = asStop(error);
    if (stop.reason === "javascript") islands.length = islandCount;
    nodes =
      stop.reason === "javascript"
        ? [expressionIsland(node.value, shown, scope, expander)]
        : showStopped(stop, shown, expander);
  }
  return mode === "block" ? wrapLoose(nodes) : nodes;
}

/** How a node of a file is shown. */
export function shownAt(
  node: { readonly position?: Position | undefined; readonly value?: string },
  { module, sourcePath }: Scope,
  mode: Mode,
): Shown {
  const { position, value = "" } = node;
  const { start, end } = position ?? {};
  const isPlaced = start?.offset !== undefined && end?.offset !== undefined;
  const typed = isPlaced ? module.source.slice(start.offset, end.offset) : `{${value}}`;
  return { typed, mode, position, location: nodeLocation(node, module.sourcePath), sourcePath };
}
