import type { Element, ElementContent } from "hast";
import type { Table, TableRow } from "mdast";
import { fill } from "../language/index.js";
import { labelOf } from "./hast-text.js";
import type { PageRun } from "./page-run.js";
import { type Handler, runOf } from "./to-hast.js";

/** A Markdown table in a box that scrolls by itself, so that a wide one does not widen the page. */
export const table: Handler<Table> = (state, node) => {
  const [head, ...body] = node.children;
  const rows = (list: readonly TableRow[], cell: "th" | "td"): ElementContent[] =>
    list.map(
      (row): Element => ({
        type: "element",
        tagName: "tr",
        properties: {},
        children: (head?.children ?? []).map((_, column): Element => {
          const align = node.align?.[column];
          const content = row.children[column];
          const properties = align ? { className: [`align-${align}`] } : {};
          return { type: "element", tagName: cell, properties, children: content ? state.all(content) : [] };
        }),
      }),
    );
  const parts: ElementContent[] = [];
  if (head) parts.push({ type: "element", tagName: "thead", properties: {}, children: rows([head], "th") });
  if (body.length > 0) parts.push({ type: "element", tagName: "tbody", properties: {}, children: rows(body, "td") });
  return scrollBox(runOf(state), { type: "element", tagName: "table", properties: {}, children: parts });
};

/** The box can be reached and scrolled by keyboard; its name tells tables of a page apart. */
export function scrollBox(run: PageRun, tableElement: Element): Element {
  run.tables += 1;
  const head = headingsOf(tableElement).join(", ");
  const name = fill(run.words.table, run.tables);
  const label = head === "" ? name : `${name}: ${head}`;
  return {
    type: "element",
    tagName: "div",
    properties: { className: ["table-scroll"], role: "region", tabIndex: 0, ariaLabel: label },
    children: [tableElement],
  };
}

function headingsOf(element: Element): string[] {
  if (element.tagName === "th") return [labelOf(element.children)].filter((text) => text !== "");
  return element.children.flatMap((child) =>
    child.type === "element" && /^(?:thead|tbody|tr|th)$/.test(child.tagName) ? headingsOf(child) : [],
  );
}
