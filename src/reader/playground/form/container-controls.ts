import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { create, drawing } from "../../dom.js";
import * as outlines from "../../icon-outlines.js";
import { say, sayWith } from "../messages.js";
import type { Control, FieldFacts, FormContext } from "./control.js";
import { box, button, createGroup, typeOf } from "./field.js";
import { unionControl } from "./union-control.js";
import { faultOf } from "./validate.js";
import { isValueObject, type Value, type ValueObject } from "./value.js";

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

/** The properties of an object, the shapes that it can take, and rows of a name and a value for those without a name. */
export function objectControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const { properties = [], unions = [], additional } = schema;
  const fields = new Map<string, Control>();
  let shapes: Control[] = [];
  let free: FreeRow[] = [];
  let isEmptyObject = false;
  let isMade = false;
  /** What was written before there were controls for it. */
  let waiting: ValueObject | undefined;
  const list = box("playground-items");
  const depth = facts.depth + 1;
  const below = facts.isParameter ? { depth, isParameter: true } : { depth };

  const make = (): HTMLElement[] => {
    isMade = true;
    for (const [name, index, required] of properties)
      fields.set(name, form.createControl(form, form.schemas[index]!, { name, required: required === 1, ...below }));
    shapes = unions.map((union) => unionControl(form, union, { required: true, ...below }));
    const add = button("playground-add", say("addProperty"), () => {
      addFree("").focus();
      form.changed();
    });
    add.prepend(drawing(outlines.plus));
    const element = [...[...fields.values(), ...shapes].map((control) => control.element), list];
    const whole = additional === undefined ? element : [...element, add];
    if (waiting !== undefined) {
      const value = waiting;
      waiting = undefined;
      fill(value);
    }
    return whole;
  };

  const addFree = (name: string): FreeRow => {
    const row = freeRow(form, form.schemas[additional ?? 0] ?? {}, name, below, () => {
      free = free.filter((each) => each !== row);
      row.element.remove();
      form.changed();
    });
    free.push(row);
    list.append(row.element);
    return row;
  };

  const fill = (value: ValueObject): void => {
    for (const [name, control] of fields) control.write(Object.hasOwn(value, name) ? value[name] : undefined);
    free = [];
    list.replaceChildren();
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !fields.has(name)));
    if (shapes.length === 0) {
      for (const [name, each] of Object.entries(rest)) addFree(name).write(each);
      return;
    }
    for (const shape of shapes) shape.write(value);
    const known = Object.assign({}, ...shapes.map((shape) => shape.read()).filter(isValueObject));
    for (const [name, each] of Object.entries(rest)) if (!Object.hasOwn(known, name)) addFree(name).write(each);
  };

  const group = createGroup(form, facts, typeOf(schema, form.schemas), make);
  const read = (): Value | undefined => {
    if (!isMade) return waiting ?? (facts.required || isEmptyObject ? {} : undefined);
    const entries = [
      ...[...fields].map(([name, control]): [string, Value | undefined] => [name, control.read()]),
      ...shapes.flatMap((shape): [string, Value | undefined][] => {
        const value = shape.read();
        return isValueObject(value) ? Object.entries(value) : [];
      }),
      ...free.map((row): [string, Value | undefined] => [row.name(), row.read()]),
    ].filter((entry): entry is [string, Value] => entry[1] !== undefined && entry[0] !== "");
    return entries.length > 0 || facts.required || isEmptyObject ? Object.fromEntries(entries) : undefined;
  };

  return {
    element: group.element,
    read,
    write(value) {
      const object = isValueObject(value) ? value : {};
      isEmptyObject = value !== undefined && Object.keys(object).length === 0;
      if (isMade) fill(object);
      else waiting = value === undefined ? undefined : object;
      if (Object.keys(object).length > 0 && depth < openDepth) group.open();
    },
    check(isSent) {
      const value = read();
      // Fields of an object that is left out need no value.
      const isThere = value !== undefined;
      if (isThere && isSent && facts.required && !isMade) group.open();
      const fault = isThere && Object.keys(value as ValueObject).length > 0 ? faultOf(schema, value) : undefined;
      group.showFault(fault);
      const parts = [...fields.values(), ...shapes, ...free];
      const faulty = parts.flatMap((each) => each.check(isSent && isThere));
      return fault === undefined ? faulty : [group.focusTarget, ...faulty];
    },
  };
}

/** Deeper than this what was written stays folded until it is looked for. */
const openDepth = 5;

interface FreeRow extends Control {
  name(): string;
  focus(): void;
}

function freeRow(
  form: FormContext,
  schema: FormSchema,
  name: string,
  below: Pick<FieldFacts, "depth" | "isParameter">,
  onRemove: () => void,
): FreeRow {
  const field = create("input", {
    type: "text",
    class: "playground-input playground-key",
    "aria-label": say("propertyName"),
    placeholder: say("propertyName"),
    spellcheck: "false",
    autocomplete: "off",
  });
  field.value = name;
  field.addEventListener("input", () => form.changed());
  const remove = button("playground-remove", sayWith("remove", name), onRemove, drawing(outlines.close));
  const control = form.createControl(form, schema, { required: false, action: remove, ...below });
  const element = box("playground-free", field, control.element);
  return { ...control, element, name: () => field.value, focus: () => field.focus() };
}
