/** Adapts properties that sites write for React to Preact. */
import { type ComponentChild, createElement, options, type VNode } from "preact";
import { Transparent } from "./registry.js";

type Props = Record<string, unknown>;

/** `createElement` for compiled JSX. A missing component shows its children. */
export const __h = (type: unknown, ...rest: [props: Props | null, ...children: ComponentChild[]]): VNode =>
  createElement((type ?? Transparent) as string, ...(rest as [Props, ...ComponentChild[]]));

/** Call once, before creating elements. @param finish adapts HTML and SVG elements further. */
export function prepareElements(finish?: (vnode: ElementNode) => void): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    const { type, props } = vnode as { type: unknown; props: Props };
    if (typeof type === "string") {
      vnode.props = elementProps(type, props) as unknown as typeof vnode.props;
      finish?.(vnode as unknown as ElementNode);
    } else {
      const defaults = (type as { defaultProps?: Props } | null)?.defaultProps;
      for (const name in defaults) if (props[name] === undefined) props[name] = defaults[name];
    }
    before?.(vnode);
  };
}

export interface ElementNode {
  type: unknown;
  readonly props: Props;
}

/** SVG attributes that React spells in camel case. */
const camelCase =
  /^(?:alignment|baseline|clip(?!PathU)|color|dominant|fill|flood|font|letter|marker(?!H|W|U)|paint|pointer|shape|stop|stroke|text(?!L)|transform|vector|word)[A-Z]/;

function elementProps(type: string, props: Props): Props {
  const out: Props = {};
  for (const written in props) {
    let name = written;
    let value = props[name];
    if (/^suppress.*Warning$/.test(name)) continue;
    if (name === "style" && value && typeof value === "object") value = styleProps(value as Props);
    else if (name === "children") value = Array.isArray(value) ? joinTexts(value) : value === "" ? null : value;
    else if (name === "download" && value === true) value = "";
    else if (name === "spellCheck" && typeof value === "boolean") value = String(value);
    else if (name.startsWith("on")) {
      name = eventName(type, name, props);
      // Another handler has the same event: `onInput` and `onChange`.
      if (name in out) name += "Capture";
    } else if (camelCase.test(name)) name = name.replace(/[A-Z0-9]/g, "-$&").toLowerCase();
    out[name] = value;
  }
  return out;
}

/** The event with the behaviour of React, whose `onChange` fires for each character and whose focus events bubble. */
function eventName(type: string, name: string, props: Props): string {
  const lower = name.toLowerCase();
  const isText = type === "textarea" || (type === "input" && !/^(?:file|checkbox|radio)$/.test(String(props["type"])));
  if (lower === "ondoubleclick") return "onDblClick";
  if (lower === "onfocus") return "onfocusin";
  if (lower === "onblur") return "onfocusout";
  return lower === "oninput" || (isText && lower === "onchange") ? "oninput" : name;
}

const withoutUnit =
  /^(-|f[lo].*[^se]$|g.{5,}[^ps]$|z|o[pr]|(W.{5})?[lL]i.*(t|mp)$|an|(bo|s).{4}Im|sca|m.{6}[ds]|ta|c.*[st]$|wido|ini|asp|fill|st)/;

/** Numbers become pixels; true and false are dropped. */
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

/** Joins adjacent texts and removes empty ones, as HTML does. Other children keep their index. */
function joinTexts(children: readonly unknown[]): unknown[] {
  const out = [...children];
  let at = -1;
  for (const [i, child] of out.entries()) {
    if (child == null || child === "" || typeof child === "boolean") out[i] = null;
    else if (!isText(child)) at = -1;
    else if (at < 0) at = i;
    else {
      out[at] = `${out[at]}${child}`;
      out[i] = null;
    }
  }
  return out;
}
