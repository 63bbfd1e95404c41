import type { ElementContent } from "hast";
import type { ListItem } from "mdast";
import { defaultHandlers } from "remark-rehype";
import type { Handler } from "./to-hast.js";

/** A list item. The checkbox of a task gets a label that says whether it is done. */
export const listItem: Handler<ListItem> = (state, node, parent) => {
  const item = defaultHandlers.listItem(state, node, parent);
  if (typeof node.checked === "boolean") nameBox(item.children, node.checked);
  return item;
};

function nameBox(children: readonly ElementContent[], checked: boolean): void {
  for (const child of children) {
    if (child.type !== "element") continue;
    if (child.tagName === "p") nameBox(child.children, checked);
    else if (child.tagName === "input") child.properties["ariaLabel"] = checked ? "Done" : "To do";
    else continue;
    return;
  }
}
