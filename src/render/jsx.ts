import type { JsxElement } from "../content/page-content.js";
import { nearestName } from "../diagnostic/index.js";
import { fence } from "./code.js";
import { codeOf, drawnComponents } from "./drawn-components.js";
import { createElement, createHeading } from "./element.js";
import { expandComponent } from "./expand-component.js";
import { elementName, isDropped } from "./html-names.js";
import { placeOf } from "./page-run.js";
import { type Handler, runOf, type State } from "./to-hast.js";

/** A tag of the page: a built-in component, an element, or a name that nobody knows. */
export const jsx: Handler<JsxElement> = (state, node) => {
  if (node.name === null) return state.all(node);
  const run = runOf(state);
  const definition = run.tools.components.get(node.name);
  if (node.name === "Heading") return createHeading(state, node);
  if (definition) return expandComponent(state, node, definition);
  if (drawnComponents.has(node.name)) return fence(run, codeOf(node)).node;
  const name = elementName(node.name) ?? (isDropped(node.name) ? node.name.toLowerCase() : undefined);
  if (name !== undefined) return createElement(state, node, name);
  reportUnknown(state, node, node.name);
  return state.all(node);
};

function reportUnknown(state: State, node: JsxElement, name: string): void {
  const run = runOf(state);
  const near = nearestName(name, run.tools.components.keys());
  run.diagnostics.push({
    code: "UNKNOWN_COMPONENT",
    severity: "warning",
    what: `<${name}> is no component and no HTML element; only its content is shown.`,
    place: placeOf(run, node),
    fix: near ? `write <${near}>.` : "import or define it, or remove the tag.",
  });
}
