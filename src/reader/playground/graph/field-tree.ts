import type { FieldNode, InlineFragmentNode, OperationDefinitionNode, SelectionNode } from "graphql";
import type { PartTools } from "../dialog-frame.js";
import { findIn, type Step, withoutSelection, withSelection } from "./operation-text.js";
import { coreOf, type GraphSchema } from "./schema.js";

/** Fields of a type that are shown at first, and added with each press of the button. */
const fieldsPerStep = 100;

/** A selection of the operation, or one that could be added to it. */
interface Place {
  /** Existing selections from the root field on; `steps` has the missing ones. */
  readonly path: readonly SelectionNode[];
  readonly steps: readonly Step[];
  /** Type of the last selection in `path`. */
  readonly type: string;
  readonly key: string;
}

/**
 * The fields that an operation can select, each with a checkbox. The fields of an object are created when they are shown.
 *
 * @param change called with the changed text of the operation.
 */
export function createFieldTree(tools: PartTools, schema: GraphSchema, change: (text: string) => void) {
  const { box, button, chevron, create, drawing, say } = tools;
  const element = create("div", "playground-tree");
  /** Whether the reader has opened or closed each object, by its key. */
  const opened = new Map<string, boolean>();
  let text = "";
  let operation: OperationDefinitionNode | undefined;
  let ids = 0;

  const show = (): void => {
    // Restore the focus afterwards.
    const focused = (document.activeElement as HTMLElement | null)?.dataset["key"];
    const root = operation && schema.rootOf(operation.operation);
    const fields = operation?.selectionSet.selections.filter((selection) => selection.kind === "Field") ?? [];
    element.replaceChildren(
      ...fields.flatMap((field): HTMLElement[] => {
        const type = coreOf(schema.fieldOf(root!, field.name.value)?.type ?? "");
        if (schema.isLeaf(type)) return [];
        const list = fieldList({ path: [field], steps: [], type, key: field.name.value }, type);
        return fields.length === 1 ? [list] : [create("code", {}, field.name.value), list];
      }),
    );
    if (focused !== undefined)
      [...element.querySelectorAll<HTMLElement>("[data-key]")]
        .find((element) => element.dataset["key"] === focused)
        ?.focus();
  };

  /** @param type the type whose fields are listed. */
  const fieldList = (place: Place, type: string): HTMLElement => {
    const kind = schema.typeOf(type)?.kind;
    const names = kind === "union" || kind === "interface" ? ["__typename"] : [];
    const rows = [
      ...names.map((name) => () => fieldRow(place, { field: name }, "String!")),
      ...schema.fieldsOf(type).map(
        ([name, field]) =>
          () =>
            fieldRow(place, { field: name }, field.type, field.deprecated),
      ),
      ...(place.key.length > 400 ? [] : schema.membersOf(type)).map(
        (name) => () => fieldRow(place, { on: name }, name),
      ),
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
      list.append(...rows.slice(shown, shown + fieldsPerStep).map((make) => make()));
      shown += fieldsPerStep;
      if (shown < rows.length) list.append(more);
    };
    add();
    return list;
  };

  const fieldRow = (place: Place, step: Step, type: string, deprecated?: true): HTMLElement => {
    const name = "field" in step ? step.field : `… on ${step.on}`;
    const core = coreOf(type);
    const selection = place.steps.length > 0 ? undefined : findIn(selectionSetOf(place), step);
    const key = `${place.key}/${name}`;
    const here: Place = selection
      ? { path: [...place.path, selection], steps: [], type: core, key }
      : { ...place, steps: [...place.steps, step], key };
    const id = `playground-tree-${++ids}`;
    const check = create("input", { type: "checkbox", id, "data-key": key });
    check.checked = selection !== undefined;
    check.addEventListener("change", () => {
      if (!operation) return;
      change(
        selection
          ? withoutSelection(text, operation, here.path)
          : withSelection(text, { operation, owner: place.path.at(-1)!, type: place.type }, here.steps, schema),
      );
    });
    const label = create("label", { for: id, dir: "ltr" }, name);
    if (deprecated) label.setAttribute("data-kind", "old");
    const shown = "field" in step ? [create("span", { class: "playground-type", dir: "ltr" }, type)] : [];
    const item = create("li", {});
    if ("field" in step && schema.isLeaf(core)) {
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
        list = fieldList(here, core);
        item.append(list);
      }
      if (list) list.hidden = !value;
    };
    item.append(box("playground-tree-row", toggle, check, label, ...shown));
    setOpen(opened.get(key) ?? selection !== undefined);
    return item;
  };

  return {
    element,
    /** @param current undefined while the text is invalid. */
    update(newText: string, current: OperationDefinitionNode | undefined): void {
      text = newText;
      operation = current;
      if (current) show();
      element.toggleAttribute("inert", current === undefined);
    },
  };
}

const selectionSetOf = ({ path }: Place) => (path.at(-1) as FieldNode | InlineFragmentNode).selectionSet;
