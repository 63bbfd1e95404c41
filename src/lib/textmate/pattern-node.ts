import type { CharSet } from "./char-set.js";

/** A regular expression of a grammar, reduced to ASCII. */
export type PatternNode =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence" | "choice"; readonly items: readonly PatternNode[] }
  /** `index` starts at 1, in the order of opening brackets. */
  | { readonly kind: "capture"; readonly index: number; readonly body: PatternNode }
  | { readonly kind: "atomic"; readonly body: PatternNode }
  | {
      readonly kind: "repeat";
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly body: PatternNode;
    }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean; readonly body: PatternNode }
  | { readonly kind: "lineStart" | "lineEnd" | "wordEdge" | "noWordEdge" | "searchStart" }
  | { readonly kind: "back"; readonly index: number }
  /** Calls the pattern of another group, or of the enclosing one. */
  | { readonly kind: "call"; readonly index: number };

export interface ParsedPattern {
  readonly root: PatternNode;
  readonly captureCount: number;
  /** Groups to which the pattern itself refers. */
  readonly references: ReadonlySet<number>;
}

/** Matches nothing. */
export const never: PatternNode = { kind: "choice", items: [] };
export const empty: PatternNode = { kind: "sequence", items: [] };

export const sequence = (items: readonly PatternNode[]): PatternNode =>
  items.length === 1 ? items[0]! : { kind: "sequence", items };
export const choice = (items: readonly PatternNode[]): PatternNode =>
  items.length === 1 ? items[0]! : { kind: "choice", items };

/** Thrown for pattern features that this engine does not support. */
export class Unsupported extends Error {}

/** How often a group may call itself. */
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
