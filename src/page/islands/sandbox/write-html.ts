/**
 * Preact's elements as HTML: what `preact-render-to-string` writes, without what waits for data.
 */
import { createElement, Fragment, isValidElement, options } from "preact";
import {
  enumerated,
  escaped,
  htmlName,
  isUnsafe,
  styleText,
  svgName,
  textOf,
  unsafeName,
  voidTags,
} from "./html-names.js";

type Props = Readonly<Record<string, unknown>>;
type Context = Readonly<Record<string, { readonly props: { readonly value: unknown } }>>;

/** With the names that Preact's own files have. */
interface Node {
  readonly type: unknown;
  readonly props: Props;
  readonly key: unknown;
  /** Component. */
  __c?: Instance;
  /** Parent. */
  __?: Node;
  /** Children. */
  __k?: unknown;
}

interface Instance {
  /** Bits, with `dirty`; absent in what is made here for functions. */
  __g?: number;
  /** Whether it is dirty. */
  __d?: boolean;
  /** Element. */
  __v?: Node;
  /** Next state. */
  __s?: unknown;
  state?: unknown;
  props: Props;
  context: unknown;
  getChildContext?(): object;
  componentWillMount?(): void;
  componentWillUpdate?(): void;
  render?(props: Props, state: unknown, context: unknown): unknown;
}

interface ComponentType {
  (this: Instance, props: Props, context: unknown): unknown;
  readonly prototype?: { readonly render?: unknown };
  readonly contextType?: { readonly __c: string; readonly __: unknown } | null;
  readonly getDerivedStateFromProps?: (props: Props, state: unknown) => object;
}

type Hook = ((node: unknown, more?: unknown) => void) | undefined;
interface Hooks {
  readonly before: Hook;
  readonly after: Hook;
  readonly render: Hook;
  readonly unmount: Hook;
}

const { assign } = Object;
const { isArray } = Array;

const optionsByName = options as unknown as Record<string, unknown>;
const skipEffects = "__s";

export function writeHtml(vnode: unknown, context: object = {}): string {
  const {
    __b: before,
    diffed: after,
    __r: render,
    unmount,
    __: root,
    __c: commit,
  } = optionsByName as Record<string, Hook>;
  const skipped = optionsByName[skipEffects];
  optionsByName[skipEffects] = true;
  try {
    const parent = createElement(Fragment, null) as unknown as Node;
    parent.__k = [vnode];
    root?.(vnode, { __k: parent, nodeType: 1 });
    const hooks = { before, after, render, unmount };
    return write(vnode, context as Context, false, undefined, parent, hooks);
  } catch (error) {
    if ((error as { then?: unknown }).then) throw new Error('Use "renderToStringAsync" for suspenseful rendering.');
    throw error;
  } finally {
    commit?.(vnode, []);
    optionsByName[skipEffects] = skipped;
  }
}

function write(
  value: unknown,
  context: Context,
  isSvg: boolean,
  selected: unknown,
  parent: Node,
  hooks: Hooks,
): string {
  if (value == null || value === true || value === false || value === "") return "";
  if (typeof value === "string") return escaped(value);
  if (typeof value !== "object") return typeof value === "function" ? "" : textOf(value);
  if (isArray(value)) {
    parent.__k = value;
    let html = "";
    for (let i = 0; i < value.length; i++) html += write(value[i], context, isSvg, selected, parent, hooks);
    return html;
  }
  if (!isValidElement(value)) return "";
  const node = value as unknown as Node;
  node.__ = parent;
  hooks.before?.(node);
  const writeNode = typeof node.type === "function" ? writeComponent : writeElement;
  return writeNode(node, context, isSvg, selected, hooks);
}

function writeComponent(node: Node, context: Context, isSvg: boolean, selected: unknown, hooks: Hooks): string {
  const { props } = node;
  const type = node.type as ComponentType;
  let content: unknown = props["children"];
  let inner = context;
  if ((type as unknown) !== Fragment) {
    const { contextType } = type;
    let own: unknown = context;
    if (contextType != null) {
      const provider = context[contextType.__c];
      own = provider ? provider.props.value : contextType.__;
    }
    const isClass = type.prototype && typeof type.prototype.render === "function";
    content = isClass ? renderClass(node, own, hooks) : renderFunction(node, own, hooks);
    const component = node.__c!;
    if (component.getChildContext != null) inner = assign({}, context, component.getChildContext());
  }
  const shown = content as Node | null | undefined;
  if (shown != null && shown.type === Fragment && shown.key == null) content = shown.props["children"];
  const html = write(content, inner, isSvg, selected, node, hooks);
  hooks.after?.(node);
  hooks.unmount?.(node);
  return html;
}

/** Changes of state while it renders make it render again, until there are none. */
const maxRenders = 25;

function markDirty(this: Instance): void {
  this.__d = true;
}

function renderFunction(node: Node, context: unknown, hooks: Hooks): unknown {
  const { props } = node;
  const component = {
    __v: node,
    context,
    props,
    setState: markDirty,
    forceUpdate: markDirty,
    __d: true,
    __h: [],
  } as Instance;
  node.__c = component;
  let content: unknown;
  for (let count = 0; isDirty(component) && count < maxRenders; count++) {
    setDirty(component, false);
    hooks.render?.(node);
    content = (node.type as ComponentType).call(component, props, context);
  }
  setDirty(component, true);
  return content;
}

function renderClass(node: Node, context: unknown, hooks: Hooks): unknown {
  const type = node.type as ComponentType & (new (props: Props, context: unknown) => Instance);
  const { props, __c: before } = node;
  // An element may be at several places.
  if (before) before.state = before.__s;
  const component = before ?? new type(props, context);
  node.__c = component;
  component.__v = node;
  component.props = props;
  component.context = context;
  setDirty(component, true);
  component.state ??= {};
  component.__s ??= component.state;
  if (type.getDerivedStateFromProps)
    component.state = assign({}, component.state, type.getDerivedStateFromProps(props, component.state));
  else if (before) before.componentWillUpdate?.();
  else if (component.componentWillMount) {
    component.componentWillMount();
    component.state = component.__s;
  }
  hooks.render?.(node);
  return component.render!(props, component.state, context);
}

const dirty = 8;
const isDirty = ({ __g, __d }: Instance): boolean => (__g === undefined ? __d === true : (__g & dirty) !== 0);
function setDirty(component: Instance, value: boolean): void {
  if (component.__g === undefined) component.__d = value;
  else component.__g = value ? component.__g | dirty : component.__g & ~dirty;
}

function writeElement(node: Node, context: Context, isSvg: boolean, selected: unknown, hooks: Hooks): string {
  const { props } = node;
  const type = node.type as string;
  let start = `<${type}`;
  let html: unknown = "";
  let children: unknown;
  for (const written in props) {
    let value = props[written];
    if (typeof value === "function" && written !== "class" && written !== "className") continue;
    let name = written;
    switch (written) {
      case "children":
        children = value;
        continue;
      case "key":
      case "ref":
      case "__self":
      case "__source":
        continue;
      case "htmlFor":
        if ("for" in props) continue;
        name = "for";
        break;
      case "className":
        if ("class" in props) continue;
        name = "class";
        break;
      case "defaultChecked":
        name = "checked";
        break;
      case "defaultSelected":
        name = "selected";
        break;
      case "defaultValue":
      case "value":
        name = "value";
        if (type === "textarea") {
          children = value;
          continue;
        }
        if (type === "select") {
          selected = value;
          continue;
        }
        // biome-ignore lint/suspicious/noDoubleEquals: an option of 1 is the one of "1".
        if (type === "option" && selected == value && !("selected" in props)) start += " selected";
        break;
      case "dangerouslySetInnerHTML":
        html = value && (value as { __html?: unknown }).__html;
        continue;
      case "style":
        if (typeof value === "object") value = value === null ? undefined : styleText(value as Props);
        break;
      case "acceptCharset":
        name = "accept-charset";
        break;
      case "httpEquiv":
        name = "http-equiv";
        break;
      default: {
        name = (isSvg ? svgName : htmlName)(written);
        if (name === unsafeName) continue;
        if (name === written && value != null && (written[4] === "-" || enumerated[written])) value = textOf(value);
      }
    }
    if (value == null || value === false) continue;
    start += value === true || value === "" ? ` ${name}` : ` ${name}="${escaped(textOf(value))}"`;
  }
  if (isUnsafe(type)) throw new Error(`${type} is not a valid HTML tag name in ${start}>`);
  if (html) {
    // It is the content.
  } else if (typeof children === "string") html = escaped(children);
  else if (children != null && children !== false && children !== true)
    html = write(children, context, type === "svg" || (type !== "foreignObject" && isSvg), selected, node, hooks);
  hooks.after?.(node);
  hooks.unmount?.(node);
  if (!html && voidTags[type]) return `${start}/>`;
  return `${start}>${isArray(html) ? html.join("") : (html ?? "")}</${type}>`;
}
