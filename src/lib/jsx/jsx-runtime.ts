/**
 * The JSX runtime of the export: `<div class="x">…</div>` builds a hast element, `<Card …/>` calls the function.
 * No virtual DOM, no React: a component is a function from props to hast.
 */
import type { ElementContent, Nodes, Properties, Root } from "hast";
import type { Raw } from "./raw.js";

export type JsxNode = ElementContent | Raw | Root;
/** A child between tags. Nested arrays are flattened; null, undefined and booleans are ignored. */
export type JsxChild = JsxNode | string | number | boolean | null | undefined | readonly JsxChild[];

type AttributeValue = string | number | boolean | null | undefined | readonly string[];
interface ElementProps {
  readonly children?: JsxChild;
  readonly [attribute: string]: AttributeValue | JsxChild;
}

export namespace JSX {
  export type Element = JsxNode;
  export interface ElementChildrenAttribute {
    children: unknown;
  }
  export interface IntrinsicElements {
    [tagName: string]: ElementProps;
  }
}

type Component<P> = (props: P) => JsxNode;

/** Attributes have their HTML names (`class`, `aria-label`, `data-x`); those that are null, undefined or false are dropped. */
export function jsx<P extends object>(type: string | Component<P>, props: P): JsxNode {
  if (typeof type === "function") return type(props);
  const properties: Properties = {};
  let children: ElementContent[] = [];
  for (const name in props) {
    const value: unknown = props[name];
    if (name === "children") children = flattenChildren(value as JsxChild);
    else if (value !== undefined && value !== null && value !== false)
      properties[name === "class" ? "className" : String(name)] = value as string;
  }
  return { type: "element", tagName: type, properties, children };
}
export const jsxs = jsx;

export function Fragment(props: { readonly children?: JsxChild }): JsxNode {
  return { type: "root", children: flattenChildren(props.children) };
}

/** Children as a flat list of hast nodes, without fragments. */
export function flattenChildren(child: JsxChild): ElementContent[] {
  const out: ElementContent[] = [];
  collect(child, out);
  return out;
}

function collect(child: JsxChild, out: ElementContent[]): void {
  if (child === null || child === undefined || typeof child === "boolean") return;
  if (typeof child === "string") {
    if (child !== "") out.push({ type: "text", value: child });
  } else if (typeof child === "number") out.push({ type: "text", value: String(child) });
  else if (Array.isArray(child)) for (const item of child) collect(item, out);
  else if ((child as Nodes).type === "root") out.push(...((child as Root).children as ElementContent[]));
  else out.push(child as ElementContent);
}
