import type { Element, ElementContent, Properties } from "hast";
import type { Definition, Link, LinkReference } from "mdast";
import { warningOf } from "../../../lib/diagnostic/index.js";
import { element, type Handler, pageOf, type State } from "../nodes.js";
import { linkTo } from "../page-links.js";
import { locationOf } from "../page-render.js";

export const link: Handler<Link> = (state, node) => markdownLink(state, node, node.url, node.title);

/** `[text][name]`. Without a definition, it is shown as written. */
export const linkReference: Handler<LinkReference> = (state, node) => {
  const definition = definitionOf(state, node.identifier);
  if (definition) return markdownLink(state, node, definition.url, definition.title);
  const suffixes = { full: `][${node.label ?? node.identifier}]`, collapsed: "][]", shortcut: "]" };
  return [{ type: "text", value: "[" }, ...state.all(node), { type: "text", value: suffixes[node.referenceType] }];
};

export const definitionOf = (state: State, identifier: string): Definition | undefined =>
  state.definitionById.get(identifier.toUpperCase());

function markdownLink(
  state: State,
  node: Link | LinkReference,
  url: string,
  title: string | null | undefined,
): ElementContent[] {
  const page = pageOf(state);
  const children = state.all(node);
  if (node.data?.isMade) return [linkElement({ href: url }, children)];
  const target = linkTo(page, url, locationOf(page, node));
  if (node.children.length === 0 && url.trim() !== "")
    page.collector.reportAt(locationOf(page, node), `COMPONENT_EMPTY ${url}`, () => ({
      ...warningOf("COMPONENT_EMPTY"),
      what: "The link has no text, so readers cannot see it.",
      location: { ...locationOf(page, node), length: 2 },
      fix: "write the link text between [ and ].",
    }));
  if (!target) return children;
  const properties: Properties = { href: target.href };
  if (title) properties["title"] = title;
  if (target.broken) properties["className"] = ["broken-link"];
  return [linkElement(properties, children)];
}

/** An `a`. Links to other hosts open a new tab unless the page says otherwise. */
export function linkElement(attributes: Properties, children: ElementContent[]): Element {
  const properties = { ...attributes };
  if (/^https?:/i.test(String(properties["href"] ?? ""))) properties["target"] ??= "_blank";
  if (properties["target"] === "_blank") properties["rel"] = ["noopener", "noreferrer"];
  return element("a", properties, children);
}
