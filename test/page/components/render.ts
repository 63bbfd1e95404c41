/** Renders a component as the page renderer does, with properties given in their short forms. */
import type { Element, ElementContent } from "hast";
import { writeHtml } from "../../../src/lib/html/write-html.js";
import { flattenChildren } from "../../../src/lib/jsx/jsx-runtime.js";
import { messagesFor } from "../../../src/lib/language/index.js";
import type { ComponentItem } from "../../../src/page/components/definition.js";
import { componentDefinitions } from "../../../src/page/components/index.js";

type Child = string | ElementContent | readonly ElementContent[];
type Props = Readonly<Record<string, unknown>>;

export const text = (value: string): ElementContent => ({ type: "text", value });
export const element = (tagName: string, ...children: readonly Child[]): Element => ({
  type: "element",
  tagName,
  properties: tagName === "a" ? { href: "#" } : {},
  children: nodes(children),
});
export const paragraph = (...children: readonly Child[]): Element => element("p", ...children);

/** A child of `Tabs` or `Steps`. `id` may be among the properties. */
export function item(name: string, props: Props = {}, ...children: readonly Child[]): ComponentItem {
  const { id, ...rest } = prepared(name, props);
  return { name, props: rest, id: id as string | undefined, children: nodes(children) };
}

/** The result of a component for properties and children; text is enough in place of nodes. */
export function render(name: string, props: Props = {}, ...children: readonly (Child | ComponentItem)[]) {
  const definition = componentDefinitions.get(name);
  if (definition === undefined) throw new Error(`There is no component named ${name}.`);
  const items = children.filter(isItem);
  const rest = children.filter((child): child is Child => !isItem(child));
  const rendered = definition.render({
    ...prepared(name, props),
    ...(definition.items ? { items } : {}),
    children: nodes(rest),
    messages: messagesFor("en"),
  });
  return flattenChildren(rendered);
}

export const htmlOf = (children: readonly ElementContent[]): string =>
  writeHtml({ type: "root", children: [...children] });

function prepared(name: string, props: Props): Record<string, unknown> {
  const kinds = componentDefinitions.get(name)?.props ?? {};
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => {
      const wantsNodes = kinds[key] === "label" || kinds[key] === "content";
      return [key, wantsNodes && typeof value === "string" ? [text(value)] : value];
    }),
  );
}

const nodes = (children: readonly Child[]): ElementContent[] =>
  children.flatMap((child) => (typeof child === "string" ? text(child) : (child as ElementContent | ElementContent[])));

const isItem = (child: unknown): child is ComponentItem =>
  typeof child === "object" && child !== null && "name" in child && "props" in child;
