import type { Nodes, RootContent } from "mdast";
import type { JsxElement } from "../content/index.js";
import type { Anchors, Claim } from "./anchors.js";

/** Nodes of all contents that are kept; with more, all are forgotten: operations on one resource follow each other. */
const maxKeptNodes = 60_000;
/** Contents of one schema for one place, told apart by the ids that their fields got. */
const maxVariants = 4;
/** Deeper content is written anew: what is made of it may be cut where it stands deep. */
const maxSharedDepth = 60;

/**
 * Contents that many pages hold, such as the fields of an error or of a resource that every operation on it gives.
 * Pages get the same node, so that later stages can keep what they made of it.
 */
export interface SharedContents {
  /**
   * What `write` gives, or what it gave for another page.
   *
   * @param schema that the content is of, and `key` all else that decides about it but the ids of its fields.
   */
  of(schema: object, key: string, anchors: Anchors, write: () => RootContent[]): RootContent[];
}

interface Variant {
  readonly node: RootContent;
  readonly claims: readonly Claim[];
}

export function createSharedContents(): SharedContents {
  let kept = new WeakMap<object, Map<string, Variant[]>>();
  let keptNodes = 0;
  return {
    of(schema, key, anchors, write) {
      const variants = kept.get(schema)?.get(key) ?? [];
      const known = variants.find(({ claims }) => anchors.repeat(claims));
      if (known) return [known.node];
      const { result, claims } = anchors.record(write);
      const size = variants.length < maxVariants ? sizeOfSelfContained(result) : undefined;
      if (size === undefined) return result;
      if (keptNodes > maxKeptNodes) {
        kept = new WeakMap();
        keptNodes = 0;
      }
      keptNodes += size;
      const node = fragment(result);
      const ofSchema = kept.get(schema) ?? new Map<string, Variant[]>();
      kept.set(schema, ofSchema.set(key, [...(ofSchema.get(key) ?? []), { node, claims }]));
      return [node];
    },
  };
}

const fragment = (children: readonly RootContent[]): RootContent => {
  const node: JsxElement = {
    type: "mdxJsxFlowElement",
    name: null,
    attributes: [],
    children: children as never,
    data: { shared: true },
  };
  return node as RootContent;
};

const selfContained = new Set<string>(
  "blockquote break code delete emphasis inlineCode list listItem paragraph strong text thematicBreak".split(" "),
);
const components = new Set(["Expandable", "FieldNote", "ParamField", "Tab", "Tabs"]);

/** How many nodes there are; undefined if one of them depends on the page or may do so. */
function sizeOfSelfContained(nodes: readonly Nodes[], depth = 0): number | undefined {
  if (depth > maxSharedDepth) return undefined;
  let size = nodes.length;
  for (const node of nodes) {
    const inner = isSelfContained(node) ? sizeOfInner(node, depth + 1) : undefined;
    if (inner === undefined) return undefined;
    size += inner;
  }
  return size;
}

const isSelfContained = (node: Nodes): boolean =>
  node.position === undefined &&
  (node.type === "mdxJsxFlowElement" ? components.has(node.name ?? "") : selfContained.has(node.type));

function sizeOfInner(node: Nodes, depth: number): number | undefined {
  let size = "children" in node ? sizeOfSelfContained(node.children, depth) : 0;
  const props = node.data?.props;
  for (const name in props) {
    const value = props[name];
    if (size === undefined || typeof value !== "object" || value === null || !("children" in value)) continue;
    const inner = sizeOfSelfContained(value.children as readonly Nodes[], depth);
    size = inner === undefined ? undefined : size + inner;
  }
  return size;
}
