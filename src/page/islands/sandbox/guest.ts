/** Runs in the interpreter with Preact and a site's modules. Each page starts with a snapshot of its memory. */
import { options, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { __h, prepareElements } from "../runtime/element.js";
import { createIsland, React, withIsland } from "../runtime/react.js";
import { createRegistry, createTables, Transparent } from "../runtime/registry.js";
import { createUi } from "../runtime/ui.js";
import { markComponents, Slot } from "./marks.js";
import { forget, installGlobals, observed, observeElement, observing, watchContexts } from "./observe.js";

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

/** The contexts around slots, for the islands inside them. */
const contexts: Record<string, object> = Object.create(null);
let currentIsland = "";
const SlotInContexts: Component = (props, context) => {
  contexts[`${currentIsland}/${props["n"]}`] = context as object;
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
for (const [name, mark] of Object.entries(markComponents())) provided[name] = uiComponent(name, mark as Component);

/** One of our components: a mark for the page to render, or in a live island the version of the browser. */
function uiComponent(name: string, mark: Component): Component {
  const component: Component = (props, context) => {
    if (!used.includes(name)) used.push(name);
    observeElement("", props);
    return withUi ? __h(ui[name] ?? Transparent, props as never) : mark(props, context);
  };
  Object.assign(component, { ui: ui[name] });
  for (const [part, partMark] of Object.entries(mark as Parts))
    (component as Parts)[part] = uiComponent(`${name}.${part}`, partMark);
  return component;
}

const registry = createRegistry(provided, tables);
Object.defineProperty(globalThis, "offprintIslands", { value: registry, configurable: true });

const errorText = (error: unknown): string => {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return typeof message === "string"
    ? typeof name === "string" && name !== "Error"
      ? `${name}: ${message}`
      : message
    : String(error);
};

/** @returns JSON of the observations, with the result of `run` or its error. */
function report(run: () => object): string {
  forget();
  used = [];
  let result: object;
  try {
    result = run();
  } catch (error) {
    result = { error: errorText(error).slice(0, 500) };
  }
  return stringify({ ...result, ...observed, used });
}

/** The host calls `evaluate` and `render`. Modules cannot reach its handles of them. */
const evaluate = (id: string): string =>
  report(() => {
    registry.exportsOf(id);
    return {};
  });

const render = (id: string, name: string, slot?: string, isLive?: string): string =>
  report(() => {
    const root = registry.exportsOf(id)[name];
    const around = slot === undefined ? undefined : contexts[slot];
    currentIsland = `${id}#${name}`;
    watchContexts(isLive ? around : undefined);
    const html = (): string =>
      renderToString(withIsland(createIsland(currentIsland, 0), __h(root, null) as VNode), around);
    withUi = false;
    const marked = html();
    if (!observed.live || used.length === 0) return { html: marked };
    withUi = true;
    return { html: html() };
  });

installGlobals();
(globalThis as { host?: unknown }).host = { evaluate, render };
