/** `{expressions}` of the page as nodes. */
import type { RootContent } from "mdast";
import type { Position } from "unist";
import type { Mode, Scope } from "../expressions/scope.js";
import { Environment, Stop } from "../expressions/values.js";
import { nodeLocation } from "../location.js";
import { wrapLoose } from "../tree-shape.js";
import type { Expansion } from "./expansion.js";
import { expressionIsland } from "./islands.js";
import { asStop, nodesOfValue, showStopped } from "./show-value.js";

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
  const shown = {
    typed: typedAt(node, scope),
    mode,
    position: node.position,
    location: nodeLocation(node, scope.module.sourcePath),
    sourcePath: scope.sourcePath,
  };
  const { islands } = expander.page;
  const islandCount = islands.length;
  let nodes: RootContent[];
  try {
    if (parsed.kind !== "tree") throw new Stop("text", "expression");
    nodes = nodesOfValue(expander.interpreter.evaluate(parsed.node, new Environment(code, scope.env)), shown, expander);
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

/** The source text of a node. */
export function typedAt(
  node: { readonly position?: Position | undefined; readonly value?: string },
  scope: Scope,
): string {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  return start === undefined || end === undefined ? `{${node.value ?? ""}}` : scope.module.source.slice(start, end);
}
