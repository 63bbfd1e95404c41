/**
 * Runs the site's own components in the reader's browser. Deferred scripts of the page define their modules; when all have
 * run, each island hydrates its HTML in the page.
 */
import { Fragment, options, toChildArray } from "preact";
import { __h, prepareElements } from "../../page/islands/runtime/element.js";
import { React } from "../../page/islands/runtime/react.js";
import { createRegistry, createTables, Transparent } from "../../page/islands/runtime/registry.js";
import * as adapt from "./adapt-elements.js";
import { createIslands, Slot } from "./islands.js";
import type { SharedRuntime } from "./shared-preact.js";

const tables = createTables();
const provided: Record<string, unknown> = { React, ...React, __h, __F: Fragment, __Slot: Slot };
// The page loads our components only if it needs them; unknown components show their children.
const { define, exportsOf } = createRegistry(
  new Proxy(provided, { get: (all, name) => all[name as string] ?? Transparent }),
  tables,
);

prepareElements((vnode) => {
  adapt.replaceStyle(vnode);
  adapt.replaceFrame(vnode);
  if (adapt.phase.isHydrating) adapt.keepText(vnode);
  adapt.adaptLinks(vnode.props, tables.links);
  adapt.trustHtml(vnode.props);
});
adapt.watchElements();
adapt.keepValues();

// Handlers may use these members of React's events.
options.event = (event) => Object.assign(event, { nativeEvent: event, persist() {} });

const shared: SharedRuntime = {
  define,
  provide: (components) => Object.assign(provided, components),
  preact: { h: __h, Fragment, toChildArray },
  tables,
};
(globalThis as { offprintIslands?: SharedRuntime }).offprintIslands = shared;

// Deferred scripts run before this event.
document.addEventListener("DOMContentLoaded", () => createIslands(exportsOf)(document));
