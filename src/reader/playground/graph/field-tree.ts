import type { FieldNode, InlineFragmentNode, OperationDefinitionNode, SelectionNode } from "graphql";
import type { GraphTools } from "../graph-tools.js";
import { findIn, type Step, withoutSelection, withSelection } from "./operation-text.js";
import { coreOf, type GraphSchema } from "./schema.js";

/** Fields of one type that are shown at once. */
const shownAtOnce = 100;

/** A part of the operation, or one that could be added to it. */
interface Place {
  /** Selections from the root field on; those that are missing are in `steps`. */
  readonly path: readonly SelectionNode[];
  readonly steps: readonly Step[];
  /** Of the last selection in `path`. */
  readonly type: string;
  readonly key: string;
}

/**
 * The fields that an operation can ask for, each with a box that is checked if it does. The fields of an object are made
 * when they are shown.
 *
 * @param change called with the changed text.
 */
export function createFieldTree(tools: GraphTools, schema: GraphSchema, change: (text: string) => void) {
  const { box, button, chevron, create, drawing, say } = tools;
  const element = create("div", { class: "playground-tree" });
  /** What the reader has opened or closed, by its place. */
  const opened = new Map<string, boolean>();
  let text = "";
  let operation: OperationDefinitionNode | undefined;
  let ids = 0;

  const show = (): void => {
    // The focus stays where it was.
    const focused = (document.activeElement as HTMLElement | null)?.dataset["key"];
    const root = operation && schema.rootOf(operation.operation);
    const fields = operation?.selectionSet.selections.filter((each) => each.kind === "Field") ?? [];
    element.replaceChildren(
      ...fields.flatMap((field): HTMLElement[] => {
        const type = coreOf(schema.fieldOf(root!, field.name.value)?.type ?? "");
        if (schema.isLeaf(type)) return [];
        const list = listOf({ path: [field], steps: [], type, key: field.name.value }, type);
        return fields.length === 1 ? [list] : [create("code", {}, field.name.value), list];
      }),
    );
    if (focused !== undefined)
      [...element.querySelectorAll<HTMLElement>("[data-key]")].find((each) => each.dataset["key"] === focused)?.focus();
  };

  /** @param of the type whose fields are listed. */
  const listOf = (place: Place, of: string): HTMLElement => {
    const kind = schema.typeOf(of)?.kind;
    const names = kind === "union" || kind === "interface" ? ["__typename"] : [];
    const rows = [
      ...names.map((name) => () => rowOf(place, { field: name }, "String!")),
      ...schema.fieldsOf(of).map(
        ([name, { type, deprecated }]) =>
          () =>
            rowOf(place, { field: name }, type, deprecated),
      ),
      ...(place.key.length > 400 ? [] : schema.membersOf(of)).map((name) => () => rowOf(place, { on: name }, name)),
    ];
    const list = create("ul", {});
    const more = create(
      "li",
      {},
      button("playground-more", say("showMore"), () => add()),
    );
    let shown = 0;
    const add = (): void => {
      more.remove();
      list.append(...rows.slice(shown, shown + shownAtOnce).map((make) => make()));
      shown += shownAtOnce;
      if (shown < rows.length) list.append(more);
    };
    add();
    return list;
  };

  const rowOf = (place: Place, step: Step, type: string, deprecated?: true): HTMLElement => {
    const name = "field" in step ? step.field : `… on ${step.on}`;
    const of = coreOf(type);
    const found = place.steps.length > 0 ? undefined : findIn(setOf(place), step);
    const key = `${place.key}/${name}`;
    const here: Place = found
      ? { path: [...place.path, found], steps: [], type: of, key }
      : { ...place, steps: [...place.steps, step], key };
    const id = `playground-tree-${++ids}`;
    const check = create("input", { type: "checkbox", id, "data-key": key });
    check.checked = found !== undefined;
    check.addEventListener("change", () => {
      if (!operation) return;
      change(
        found
          ? withoutSelection(text, operation, here.path)
          : withSelection(text, { operation, owner: place.path.at(-1)!, type: place.type }, here.steps, schema),
      );
    });
    const label = create("label", { for: id, dir: "ltr" }, name);
    if (deprecated) label.setAttribute("data-kind", "old");
    const shown = "field" in step ? [create("span", { class: "playground-type", dir: "ltr" }, type)] : [];
    const item = create("li", {});
    if ("field" in step && schema.isLeaf(of)) {
      item.append(box("playground-tree-row", check, label, ...shown));
      return item;
    }
    const toggle = button("playground-icon", name, () => setOpen(!isOpen), drawing(chevron));
    toggle.dataset["key"] = `${key}/`;
    let isOpen = false;
    let list: HTMLElement | undefined;
    const setOpen = (value: boolean): void => {
      isOpen = value;
      opened.set(key, value);
      toggle.setAttribute("aria-expanded", String(value));
      if (value && !list) {
        list = listOf(here, of);
        item.append(list);
      }
      if (list) list.hidden = !value;
    };
    item.append(box("playground-tree-row", toggle, check, label, ...shown));
    setOpen(opened.get(key) ?? found !== undefined);
    return item;
  };

  return {
    element,
    /** @param current undefined while the text cannot be read. */
    update(newText: string, current: OperationDefinitionNode | undefined): void {
      text = newText;
      operation = current;
      if (current) show();
      element.toggleAttribute("inert", current === undefined);
    },
  };
}

const setOf = ({ path }: Place) => (path.at(-1) as FieldNode | InlineFragmentNode).selectionSet;
