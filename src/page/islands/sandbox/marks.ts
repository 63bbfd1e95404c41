/** Marks for our components in static islands. The page renders them as if its author had written the components. */
import { createElement, Fragment, isValidElement, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { __h } from "../runtime/element.js";
import { componentNames } from "../runtime/names.js";

type Props = Record<string, unknown>;
type Mark = (props: Props, context: unknown) => VNode;

/** Creates a mark for each built-in component: `<x-use data-name="Card" data-props='{"title":"x"}'>`. */
export function markComponents(): Record<string, unknown> {
  const html = (value: unknown, context: unknown) => ({
    $html: renderToString(__h(Fragment, { children: value }), context as object),
  });
  const marks: Record<string, unknown> = {};
  for (const name of componentNames) {
    const mark: Mark = ({ children, ...props }, context) => {
      const data: Props = {};
      for (const prop in props) {
        const value = props[prop];
        if (typeof value !== "function") data[prop] = hasElement(value) ? html(value, context) : value;
      }
      return __h("x-use", { "data-name": name, "data-props": JSON.stringify(data) }, children as VNode);
    };
    const [base, part] = name.split(".") as [string, string | undefined];
    if (part === undefined) marks[base] = Object.assign(mark, marks[base]);
    else marks[base] = Object.assign(marks[base] ?? {}, { [part]: mark });
  }
  return marks;
}

const hasElement = (value: unknown): boolean =>
  isValidElement(value) || (Array.isArray(value) && value.some(hasElement));

/** The numbered place of content that the page renders itself. */
export const Slot = ({ n }: { readonly n: number }): VNode =>
  createElement("x-slot", { "data-n": n } as object) as VNode;
