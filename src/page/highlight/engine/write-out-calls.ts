import { never, type PatternNode } from "./pattern-node.js";
import { Unsupported } from "./unsupported.js";

/** Levels of a group calling itself. */
const maxRecursion = 4;
const maxExpandedNodes = 4000;

/**
 * Replaces calls by the pattern of their group. Recursion is expanded to a depth that code reaches (`a<b<c<d>>>`). A
 * group captures its own match, not those of its calls.
 *
 * @throws {Unsupported} if a group does not exist, or the pattern grows too large.
 */
export function writeOutCalls(root: PatternNode, groups: ReadonlyMap<number, PatternNode>): PatternNode {
  const open: number[] = [];
  let size = 0;
  const copy = (node: PatternNode, inCall: boolean): PatternNode => {
    if (++size > maxExpandedNodes) throw new Unsupported();
    switch (node.kind) {
      case "call": {
        const body = groups.get(node.index);
        if (!body) throw new Unsupported();
        if (open.filter((index) => index === node.index).length >= maxRecursion) return never;
        open.push(node.index);
        const copied = copy(body, true);
        open.pop();
        return copied;
      }
      case "sequence":
      case "choice":
        return { kind: node.kind, items: node.items.map((item) => copy(item, inCall)) };
      case "capture":
        return inCall ? copy(node.body, true) : { ...node, body: copy(node.body, false) };
      case "atomic":
      case "repeat":
      case "look":
        return { ...node, body: copy(node.body, inCall) };
      default:
        return node;
    }
  };
  return copy(root, false);
}
