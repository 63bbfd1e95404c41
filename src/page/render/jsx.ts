import type { ElementContent } from "hast";
import { type LikelyName, likelyName, type Rewrite } from "../../lib/diagnostic/index.js";
import type { JsxElement } from "../content/index.js";
import { fence, formula } from "./code.js";
import { createElement, createHeading } from "./element.js";
import { fenceOf, holdsFence, isFenceComponent } from "./fence-components.js";
import { elementName, isDropped } from "./html-names.js";
import ofOtherTools from "./names-of-other-tools.json" with { type: "json" };
import { locationOf, type PageRender } from "./page-render.js";
import { renderComponent } from "./render-component.js";
import { sharedContent } from "./shared-content.js";
import { type Handler, pageOf, type State } from "./to-hast.js";

/** A tag of the page: a built-in component, an element, or an unknown name. */
export const jsx: Handler<JsxElement> = (state, node) => {
  if (node.name === null) return node.data?.shared ? sharedContent(state, node) : state.all(node);
  const page = pageOf(state);
  const definition = page.context.tools.components.get(node.name);
  if (node.name === "Heading") return createHeading(state, node);
  if (isFenceComponent(node)) return holdsFence(node) ? state.all(node) : renderFenceComponent(page, node);
  if (definition) return renderComponent(state, node, definition);
  const name = elementName(node.name) ?? (isDropped(node.name) ? node.name.toLowerCase() : undefined);
  if (name !== undefined) return createElement(state, node, name);
  reportUnknown(state, node, node.name);
  return state.all(node);
};

/** Code, a diagram or a formula. A formula in a sentence stays inline. */
function renderFenceComponent(page: PageRender, node: JsxElement): ElementContent {
  const code = fenceOf(node);
  if (node.name === "Latex" && node.type === "mdxJsxTextElement") return formula(page, code.value, false, code);
  return fence(page, code).node;
}

function reportUnknown(state: State, node: JsxElement, name: string): void {
  const page = pageOf(state);
  const other = Object.hasOwn(ofOtherTools, name) ? ofOtherTools[name as keyof typeof ofOtherTools] : undefined;
  const names = page.context.tools.components;
  const near = other === undefined ? likelyName(name, names.keys()) : { name: other, certain: false };
  page.collector.diagnostics.push({
    code: "UNKNOWN_COMPONENT",
    severity: "warning",
    what: `<${name}> is not a component or an HTML element; only its content is shown.`,
    location: locationOf(page, node),
    fix: near ? `write <${near.name}>.` : "import or define it, or remove the tag.",
    ...(near && names.has(near.name) && { rewrites: renamedTag(node, name, near) }),
  });
}

/** Both tags of an element get another name. */
function renamedTag({ position }: JsxElement, name: string, { name: other, certain }: LikelyName): Rewrite[] {
  const { start, end } = position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return [];
  const closing = { written: `</${name}>`, replacement: `</${other}>`, offset: end.offset - name.length - 3 };
  return [
    { written: `<${name}`, replacement: `<${other}`, offset: start.offset, certain },
    { ...closing, certain, isOptional: true },
  ];
}
