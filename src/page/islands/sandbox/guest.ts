/**
 * What runs inside the interpreter: Preact and the modules of a site. It is loaded once and its memory kept, from which
 * each page starts. Nothing of the process around it can be reached from here.
 */
import { options, type VNode } from "preact";
import { __h, prepareElements } from "../runtime/element.js";
import { createIsland, React, withIsland } from "../runtime/react.js";
import { createRegistry, createTables, Transparent } from "../runtime/registry.js";
import { createUi } from "../runtime/ui.js";
import { markComponents, Slot } from "./marks.js";
import { forget, installGlobals, observed, observeElement, observing, watchContexts } from "./observe.js";
import { writeHtml } from "./write-html.js";

type Component = (props: Record<string, unknown>, context: unknown) => unknown;
type Parts = Component & Record<string, Component>;

const { stringify } = JSON;
let used: string[] = [];
let withUi = false;

prepareElements();
const prepare = options.vnode!;
options.vnode = (vnode) => {
  const { type, props } = vnode as unknown as { type: unknown; props: Record<string, unknown> };
  observeElement(type, props, vnode.ref);
  prepare(vnode);
};

/** The contexts around slots, which the islands in them get. */
const contexts: Record<string, object> = Object.create(null);
let current = "";
const SlotInContexts: Component = (props, context) => {
  contexts[`${current}/${props["n"]}`] = context as object;
  return Slot(props as { n: number });
};

const tables = createTables();
const ui = createUi(tables) as unknown as Readonly<Record<string, Component>>;
const exports = observing(React);
const provided: Record<string, unknown> = {
  ...exports,
  React: exports,
  __h,
  __F: exports["Fragment"],
  __Slot: SlotInContexts,
};
for (const [name, mark] of Object.entries(markComponents(writeHtml as never)))
  provided[name] = ours(name, mark as Component);

/** One of our components: a mark, or in a live island a version that the browser renders, too. */
function ours(name: string, mark: Component): Component {
  const component: Component = (props, context) => {
    if (!used.includes(name)) used.push(name);
    observeElement("", props);
    return withUi ? __h(ui[name] ?? Transparent, props as never) : mark(props, context);
  };
  Object.assign(component, { ui: ui[name] });
  for (const [part, each] of Object.entries(mark as Parts)) (component as Parts)[part] = ours(`${name}.${part}`, each);
  return component;
}

const registry = createRegistry(provided, tables);
Object.defineProperty(globalThis, "offprintIslands", { value: registry, configurable: true });

const messageOf = (error: unknown): string => {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return typeof message === "string"
    ? typeof name === "string" && name !== "Error"
      ? `${name}: ${message}`
      : message
    : String(error);
};

/** @returns JSON: what was observed, and an error if `run` throws. */
function report(run: () => object): string {
  forget();
  used = [];
  let result: object;
  try {
    result = run();
  } catch (error) {
    result = { error: messageOf(error).slice(0, 500) };
  }
  return stringify({ ...result, ...observed, used });
}

/** The host calls both; their handles are kept outside of the reach of modules. */
const evaluate = (id: string): string =>
  report(() => {
    registry.exportsOf(id);
    return {};
  });

const render = (id: string, name: string, slot?: string, isLive?: string): string =>
  report(() => {
    const root = registry.exportsOf(id)[name];
    const around = slot === undefined ? undefined : contexts[slot];
    current = `${id}#${name}`;
    watchContexts(isLive ? around : undefined);
    const html = (): string => writeHtml(withIsland(createIsland(current, 0), __h(root, null) as VNode), around);
    withUi = false;
    const marked = html();
    if (!observed.live || used.length === 0) return { html: marked };
    withUi = true;
    return { html: html() };
  });

installGlobals();
(globalThis as { host?: unknown }).host = { evaluate, render };
