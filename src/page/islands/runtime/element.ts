/** Elements with the properties of React, which the code of sites is written for, made fit for Preact. */
import { type ComponentChild, createElement, options, toChildArray, type VNode } from "preact";
import { Transparent } from "./registry.js";

type Props = Record<string, unknown>;

/** `createElement` of compiled JSX. A component that does not exist shows its children. */
export const __h = (type: unknown, ...rest: [props: Props | null, ...children: ComponentChild[]]): VNode =>
  createElement((type ?? Transparent) as string, ...(rest as [Props, ...ComponentChild[]]));

/**
 * Call once, before the first element is made.
 *
 * @param finish changes an HTML or SVG element further.
 */
export function prepareElements(finish?: (vnode: ElementNode) => void): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    const { type, props } = vnode as { type: unknown; props: Props };
    if (typeof type === "string") {
      vnode.props = elementProps(type, props) as unknown as typeof vnode.props;
      finish?.(vnode as unknown as ElementNode);
    } else if (typeof type === "function") adaptComponent(vnode as VNode, type as ComponentType);
    before?.(vnode);
  };
}

export interface ElementNode {
  type: unknown;
  readonly props: Props;
}

interface ComponentType {
  readonly prototype?: { readonly render?: unknown };
  readonly defaultProps?: Props;
}

function adaptComponent(vnode: VNode<object>, type: ComponentType): void {
  const props = vnode.props as Props;
  if (type.prototype?.render && props["ref"]) {
    vnode.ref = props["ref"] as NonNullable<VNode["ref"]>;
    delete props["ref"];
  }
  for (const name in type.defaultProps) if (props[name] === undefined) props[name] = type.defaultProps[name];
}

/** SVG attributes that React writes in camel case. */
const camelCase =
  /^(?:alignment|baseline|clip(?!PathU)|color|dominant|fill|flood|font|image(?!S)|letter|lighting|marker(?!H|W|U)|paint|pointer|shape|stop|stroke|text(?!L)|transform|unicode|vector|word|writing)[A-Z]/;

function elementProps(type: string, props: Props): Props {
  const out: Props = {};
  for (const written in props) {
    let name = written;
    let value = props[name];
    if (/^suppress.*Warning$/.test(name)) continue;
    if (name === "style" && value && typeof value === "object") value = styleProps(value as Props);
    else if (name === "children" && Array.isArray(value)) value = joinTexts(value);
    else if (name === "download" && value === true) value = "";
    else if (name.startsWith("on")) {
      name = eventName(type, name, props);
      // Next to `onInput`, which is the same event.
      if (name in out) name += "Capture";
    } else if (camelCase.test(name)) name = name.replace(/[A-Z0-9]/g, "-$&").toLowerCase();
    out[name] = value;
  }
  if (type === "select" && out["defaultValue"] != null) chooseOptions(out);
  return out;
}

/** React calls `onChange` with each character, and its focus events bubble. */
function eventName(type: string, name: string, props: Props): string {
  const lower = name.toLowerCase();
  if (lower === "ondoubleclick") return "onDblClick";
  if (lower === "onfocus") return "onfocusin";
  if (lower === "onblur") return "onfocusout";
  const isText = type === "textarea" || (type === "input" && !/^(?:file|checkbox|radio)$/.test(String(props["type"])));
  return lower === "oninput" || (lower === "onchange" && isText) ? "oninput" : name;
}

const withoutUnit =
  /^(-|f[lo].*[^se]$|g.{5,}[^ps]$|z|o[pr]|(W.{5})?[lL]i.*(t|mp)$|an|(bo|s).{4}Im|sca|m.{6}[ds]|ta|c.*[st]$|wido|ini|asp|fill|st)/;

/** Numbers are pixels; true and false are nothing. */
function styleProps(style: Props): Props {
  const out: Props = {};
  for (const name in style) {
    const value = style[name];
    out[name] =
      typeof value === "number" && !withoutUnit.test(name) ? `${value}px` : typeof value === "boolean" ? null : value;
  }
  return out;
}

const isText = (child: unknown): boolean => typeof child === "string" || typeof child === "number";

/** Texts that follow each other are one text node in HTML, so they are one here. Other children keep their index. */
function joinTexts(children: readonly unknown[]): unknown[] {
  const out = [...children];
  let at = -1;
  for (const [i, child] of out.entries()) {
    if (!isText(child)) {
      if (child != null && typeof child !== "boolean") at = -1;
    } else if (at < 0) at = i;
    else {
      out[at] = `${out[at]}${child}`;
      out[i] = null;
    }
  }
  return out;
}

/** HTML has no `defaultValue` of a menu. */
function chooseOptions(props: Props): void {
  const chosen = [props["defaultValue"]].flat().map(String);
  delete props["defaultValue"];
  for (const child of toChildArray(props["children"] as ComponentChild)) {
    const option = child as VNode<Props> | string;
    if (typeof option === "object" && option.type === "option")
      option.props["selected"] = chosen.includes(String(option.props["value"] ?? option.props["children"]));
  }
}
