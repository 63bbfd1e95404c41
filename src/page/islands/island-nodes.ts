/** Converts the HTML of a component to nodes of the page. It is untrusted, so the nodes are treated like tags in a page. */
import type { RootContent } from "mdast";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { find, html as htmlNames } from "property-information";
import type { Island, IslandSlot, JsxElement, PropValue } from "../content/index.js";
import { isRecord, isTextElement } from "../render/index.js";

type Parsed = DefaultTreeAdapterTypes.ChildNode;

/** Nesting of the values in a property. */
const maxDepth = 100;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** @param island has `islandSlot` nodes as its children; `outcome` is set. */
export function islandNodes(html: string, island: Island): RootContent[] {
  const slots = new Map(island.children.map((slot) => [String((slot as IslandSlot).index), slot]));
  const { position } = island;
  const kind = island.outcome === "live" ? "live" : "static";

  const all = (nodes: readonly Parsed[]): RootContent[] => nodes.flatMap(nodeOf);
  const nodeOf = (node: Parsed): RootContent[] => {
    if (node.nodeName === "#text")
      return [{ type: "text", value: (node as DefaultTreeAdapterTypes.TextNode).value, data: { island: kind } }];
    if (!("tagName" in node) || node.tagName === "script" || node.tagName === "template") return [];
    const attributes = new Map(
      node.attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value] as const),
    );
    if (node.tagName === "x-slot") return slotNodes(attributes.get("data-n"));
    if (node.tagName === "x-use") return [componentNode(attributes, node)];
    // Unlike in JSX, `checked=""` means true.
    const props = [...attributes].map(([name, value]) => [
      name,
      value === "" && find(htmlNames, name).boolean ? true : value,
    ]);
    return [element(node.tagName, Object.fromEntries(props), all(node.childNodes))];
  };
  const slotNodes = (index: string | undefined): RootContent[] => {
    const slot = slots.get(index ?? "");
    if (slot === undefined) return [];
    return kind === "live" ? [slot] : (slot as IslandSlot).children;
  };
  const element = (name: string, props: Readonly<Record<string, PropValue>>, children: RootContent[]): RootContent =>
    ({
      type: isTextElement(name) ? "mdxJsxTextElement" : "mdxJsxFlowElement",
      name,
      attributes: [],
      children,
      position,
      data: { props, island: kind, ...(island.data?.sourcePath ? { sourcePath: island.data.sourcePath } : {}) },
    }) as JsxElement as RootContent;
  /** One of our own components, rendered as if it were written in the page. */
  const componentNode = (
    attributes: ReadonlyMap<string, string>,
    node: DefaultTreeAdapterTypes.Element,
  ): RootContent => {
    const name = attributes.get("data-name") ?? "";
    const component = element(name, propsOf(attributes.get("data-props")), all(node.childNodes));
    const { island: _, ...data } = component.data!;
    return { ...component, data };
  };
  const propsOf = (json = "{}"): Readonly<Record<string, PropValue>> => {
    const value = propValue(parseJson(json), 0);
    return isRecord(value) ? (value as Record<string, PropValue>) : {};
  };
  const propValue = (value: unknown, depth: number): PropValue => {
    if (depth > maxDepth) return undefined;
    if (Array.isArray(value)) return value.map((item) => propValue(item, depth + 1));
    if (typeof value !== "object" || value === null) return value as PropValue;
    const html = (value as { $html?: unknown }).$html;
    if (typeof html === "string") return { type: "jsxTree", children: all(parseFragment(html).childNodes) };
    // A plain object must not pass for a tree of nodes.
    const entries = Object.entries(value).filter(([key, member]) => key !== "__proto__" && member !== "jsxTree");
    return Object.fromEntries(entries.map(([key, member]) => [key, propValue(member, depth + 1)]));
  };
  return all(parseFragment(html).childNodes);
}
