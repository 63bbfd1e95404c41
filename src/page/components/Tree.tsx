import type { Element, ElementContent } from "hast";
import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { type CommonProps, component, type PropsOf } from "./definition.js";
import { classes, controlIcon, Part } from "./shared/markup.js";
import { isElement, labelOf } from "./shared/nodes.js";

/**
 * Files and folders, from `Tree.Folder` and `Tree.File` or from a Markdown list. All items are in the HTML. Only with a
 * script (`html.js`), the group of an item with `aria-expanded="false"` is hidden.
 *
 * For the client: `[data-tree]` follows the ARIA tree pattern: one item has `tabindex="0"`, the others `-1`. Items that
 * can be opened have `aria-expanded`; a click on `.tree-folder-title` toggles it.
 */
function Tree(props: CommonProps) {
  const entries = entriesOf(props.children);
  if (entries.length === 0) return <>{props.children}</>;
  return (
    <ul
      class={classes("tree", props.className)}
      id={props.id}
      role="tree"
      aria-label={props.messages.files}
      data-tree=""
    >
      {entries.map((entry, index) => placed(entry, 1, index === 0))}
    </ul>
  );
}

const folderProps = { name: "text", defaultOpen: "boolean", openable: "boolean", highlight: "boolean" } as const;

function TreeFolder(props: Omit<PropsOf<typeof folderProps>, "messages">): JsxNode {
  const { name = "folder", openable = true } = props;
  const entries = entriesOf(props.children);
  return (
    <li
      class={classes("tree-folder", props.className)}
      role="treeitem"
      aria-expanded={openable && entries.length > 0 ? String(props.defaultOpen ?? false) : undefined}
      data-highlight={props.highlight ? "" : undefined}
    >
      <Part as="span" name="tree-folder-title">
        {openable && entries.length > 0 && <span class="disclosure-mark" />}
        {controlIcon("folder")}
        <span class="tree-name">{name}</span>
      </Part>
      {entries.length > 0 && (
        <ul class="tree-group" role="group">
          {entries}
        </ul>
      )}
    </li>
  );
}

const fileProps = { name: "text", highlight: "boolean" } as const;

function TreeFile(props: Omit<PropsOf<typeof fileProps>, "messages">): JsxNode {
  const name = props.name ?? (labelOf(props.children) || "file");
  return (
    <li class={classes("tree-file", props.className)} role="treeitem" data-highlight={props.highlight ? "" : undefined}>
      <Part as="span" name="tree-file-title">
        {controlIcon("file")}
        <span class="tree-name">{name}</span>
      </Part>
    </li>
  );
}

/** Sets the level of an item, and makes the first item reachable by the Tab key. */
function placed(item: Element, level: number, isFirst: boolean): Element {
  const entry: Element = item.properties["role"] === "treeitem" ? item : strayItem(item);
  return {
    ...entry,
    properties: { ...entry.properties, "aria-level": String(level), tabIndex: isFirst ? 0 : -1 },
    children: entry.children.map((child) =>
      isElement(child) && child.properties["role"] === "group"
        ? { ...child, children: child.children.filter(isElement).map((inner) => placed(inner, level + 1, false)) }
        : child,
    ),
  };
}

const strayItem = (item: Element): Element => TreeFile({ name: labelOf([item]) || undefined, children: [] }) as Element;

const isList = (node: ElementContent): node is Element =>
  isElement(node) && (node.tagName === "ul" || node.tagName === "ol") && node.properties["role"] !== "group";

const entriesOf = (children: readonly ElementContent[]): Element[] =>
  children.filter(isElement).flatMap((child) => (isList(child) ? itemsOfList(child) : child));

/** A Markdown list as tree items. An entry with a nested list or a trailing slash is an open folder. */
function itemsOfList(list: Element): Element[] {
  return list.children.filter(isElement).map((entry) => {
    const inner = entry.children.filter(isList);
    const name = labelOf(entry.children.filter((child) => !isList(child)));
    if (inner.length === 0 && !name.endsWith("/")) return TreeFile({ name, children: [] }) as Element;
    return TreeFolder({
      name: name.replace(/\/+$/, "") || "/",
      defaultOpen: true,
      children: inner.flatMap(itemsOfList),
    }) as Element;
  });
}

export const tree = component({
  stylesheet: "tree",
  props: {},
  contains: ["Tree.File", "Tree.Folder", "list"],
  render: Tree,
});
export const treeFolder = component({ props: folderProps, required: ["name"], render: TreeFolder });
export const treeFile = component({ props: fileProps, render: TreeFile });
