import type { Nodes, RootContent } from "mdast";
import type { JsxElement } from "../../page/content/index.js";
import type { Anchors, Claim } from "./anchors.js";

/** More cached nodes than this are all dropped: operations on one resource are neighbours, so few are needed again. */
const maxKeptNodes = 60_000;
/** Variants of one content, which differ in the ids of their fields. */
const maxVariants = 4;
/** Deeper content is not shared, because later stages may cut it at some depth. */
const maxSharedDepth = 60;

export type SharedContents = ReturnType<typeof createSharedContents>;

/**
 * Contents that many pages share, such as the fields of an error or a resource. Pages get the same node, so that later
 * stages can reuse their results for it.
 */
export function createSharedContents() {
  let kept = new WeakMap<object, Map<string, { readonly node: RootContent; readonly claims: readonly Claim[] }[]>>();
  let keptNodes = 0;
  return {
    /**
     * Returns the result of `write`, or of an earlier call for another page.
     *
     * @param schema of the content.
     * @param key everything else that the content depends on, apart from the ids of its fields.
     */
    of(schema: object, key: string, anchors: Anchors, write: () => RootContent[]): RootContent[] {
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
      kept.set(schema, (kept.get(schema) ?? new Map()).set(key, [...variants, { node, claims }]));
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

/** The number of nodes; undefined if one of them may depend on its page. */
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
