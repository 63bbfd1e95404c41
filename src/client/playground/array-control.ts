import type { FormSchema } from "../../reference/forms/playground-form.js";
import { drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import type { Control, FieldFacts, FormContext } from "./control.js";
import { box, button, typeOf } from "./field.js";
import { createGroup } from "./group.js";
import { say, sayWith } from "./say.js";
import { faultOf } from "./validate.js";
import type { Value } from "./value.js";

/** Rows of controls that can be added and removed. Files can be chosen several at once. */
export function arrayControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const { items = 0, prefixItems = [] } = schema;
  const list = box("playground-items");
  let rows: { readonly control: Control; readonly row: HTMLElement }[] = [];
  /** Empty because an empty list was set, not because no item was added. */
  let isEmptyList = false;

  const addRow = (): Control => {
    const itemSchema = form.schemas[prefixItems[rows.length] ?? items] ?? {};
    const remove = button(
      "playground-remove",
      sayWith("remove", rows.length + 1),
      () => {
        rows = rows.filter((each) => each !== entry);
        row.remove();
        add.focus();
        form.changed();
      },
      drawing(outlines.close),
    );
    const control = form.createControl(form, itemSchema, {
      name: `${rows.length + 1}`,
      required: true,
      isItem: true,
      depth: facts.depth + 1,
      action: remove,
      ...(facts.isParameter ? { isParameter: true } : {}),
    });
    const row = box("playground-item", control.element);
    const entry = { control, row };
    rows.push(entry);
    list.append(row);
    return control;
  };
  const add = button("playground-add", say("addItem"), () => {
    const control = addRow();
    control.element.querySelector<HTMLElement>("input, select, textarea")?.focus();
    form.changed();
  });
  add.prepend(drawing(outlines.plus));

  const group = createGroup(form, facts, typeOf(schema, form.schemas), () => [list, add]);
  const values = (): Value[] => rows.map(({ control }) => control.read()).filter((each) => each !== undefined);
  return {
    element: group.element,
    read: () => {
      const all = values();
      return all.length > 0 || isEmptyList || facts.required ? all : undefined;
    },
    write(value) {
      const all = Array.isArray(value) ? (value as readonly Value[]) : [];
      rows = [];
      list.replaceChildren();
      isEmptyList = value !== undefined && all.length === 0;
      for (const each of all.slice(0, maxRows)) addRow().write(each);
      if (all.length > 0) group.open();
    },
    check(isSent) {
      const all = values();
      const fault = all.length > 0 || facts.required ? faultOf(schema, all) : undefined;
      const faulty = rows.flatMap(({ control }) => control.check(isSent));
      group.showFault(fault);
      return fault === undefined ? faulty : [group.focusTarget, ...faulty];
    },
  };
}

const maxRows = 500;
