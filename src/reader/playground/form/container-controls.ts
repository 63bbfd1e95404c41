import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { create, drawing } from "../../dom.js";
import * as outlines from "../../icon-outlines.js";
import { say, sayWith } from "../messages.js";
import {
  type Control,
  type FieldFacts,
  type FormContext,
  isValueObject,
  type Value,
  type ValueObject,
} from "./control.js";
import { textInput } from "./elements.js";
import { box, button, createGroup, tags, typeLabel } from "./field.js";
import { faultOf, matchScore } from "./validate.js";

/** Rows of controls that the reader adds and removes. */
export function arrayControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const { items = 0, prefixItems = [] } = schema;
  const list = box("playground-items");
  let rows: { readonly control: Control; readonly row: HTMLElement }[] = [];
  /** An empty list was set, which differs from no list. */
  let isEmptyList = false;
  let wasSent = false;

  const addRow = (): Control => {
    const itemSchema = form.schemas[prefixItems[rows.length] ?? items] ?? {};
    const remove = button(
      "playground-remove",
      sayWith("remove", rows.length + 1),
      () => {
        rows = rows.filter((other) => other !== entry);
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

  const group = createGroup(form, facts, typeLabel(schema, form.schemas), () => [list, add]);
  const values = (): Value[] => rows.map(({ control }) => control.read()).filter((value) => value !== undefined);
  return {
    element: group.element,
    read: () => {
      const items = values();
      return items.length > 0 || isEmptyList || facts.required ? items : undefined;
    },
    write(value) {
      const items = Array.isArray(value) ? (value as readonly Value[]) : [];
      rows = [];
      list.replaceChildren();
      isEmptyList = value !== undefined && items.length === 0;
      for (const item of items.slice(0, maxRows)) addRow().write(item);
      if (items.length > 0) group.open();
    },
    check(missing) {
      const items = values();
      if (missing === "all") wasSent = true;
      // While the reader adds items, there may still be too few of them.
      const isChecked = wasSent && (items.length > 0 || (facts.required && missing !== "none"));
      const fault = isChecked ? faultOf(schema, items) : undefined;
      const faulty = rows.flatMap(({ control }) => control.check(missing));
      group.showFault(fault);
      return fault === undefined ? faulty : [group.focusTarget, ...faulty];
    },
  };
}

const maxRows = 500;

/** The properties of an object, a choice for each union, and rows of name and value for additional properties. */
export function objectControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const { properties = [], unions = [], additional } = schema;
  const fields = new Map<string, Control>();
  let unionControls: Control[] = [];
  let additionalRows: AdditionalRow[] = [];
  /** An empty object was set, which differs from no object. */
  let isEmptyObject = false;
  /** The controls are created when the group is first opened. */
  let isCreated = false;
  /** The value written before that. */
  let pending: ValueObject | undefined;
  let wasSent = false;
  const list = box("playground-items");
  const depth = facts.depth + 1;
  const nested = facts.isParameter ? { depth, isParameter: true } : { depth };

  const createContent = (): HTMLElement[] => {
    isCreated = true;
    for (const [name, index, required] of properties)
      fields.set(name, form.createControl(form, form.schemas[index]!, { name, required: required === 1, ...nested }));
    unionControls = unions.map((union) => unionControl(form, union, { required: true, ...nested }));
    const add = button("playground-add", say("addProperty"), () => {
      addRow("").focus();
      form.changed();
    });
    add.prepend(drawing(outlines.plus));
    const elements = [...[...fields.values(), ...unionControls].map((control) => control.element), list];
    if (pending !== undefined) {
      const value = pending;
      pending = undefined;
      fill(value);
    }
    return additional === undefined ? elements : [...elements, add];
  };

  const addRow = (name: string): AdditionalRow => {
    const row = additionalRow(form, form.schemas[additional ?? 0] ?? {}, name, nested, () => {
      additionalRows = additionalRows.filter((other) => other !== row);
      row.element.remove();
      form.changed();
    });
    additionalRows.push(row);
    list.append(row.element);
    return row;
  };

  const fill = (value: ValueObject): void => {
    for (const [name, control] of fields) control.write(Object.hasOwn(value, name) ? value[name] : undefined);
    additionalRows = [];
    list.replaceChildren();
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !fields.has(name)));
    if (unionControls.length === 0) {
      for (const [name, member] of Object.entries(rest)) addRow(name).write(member);
      return;
    }
    for (const control of unionControls) control.write(value);
    const unionValues = Object.assign({}, ...unionControls.map((control) => control.read()).filter(isValueObject));
    for (const [name, member] of Object.entries(rest))
      if (!Object.hasOwn(unionValues, name)) addRow(name).write(member);
  };

  const group = createGroup(form, facts, typeLabel(schema, form.schemas), createContent);
  const read = (): Value | undefined => {
    if (!isCreated) return pending ?? (facts.required || isEmptyObject ? {} : undefined);
    const entries = [
      ...[...fields].map(([name, control]): [string, Value | undefined] => [name, control.read()]),
      ...unionControls.flatMap((control): [string, Value | undefined][] => {
        const value = control.read();
        return isValueObject(value) ? Object.entries(value) : [];
      }),
      ...additionalRows.map((row): [string, Value | undefined] => [row.name(), row.read()]),
    ].filter((entry): entry is [string, Value] => entry[1] !== undefined && entry[0] !== "");
    return entries.length > 0 || facts.required || isEmptyObject ? Object.fromEntries(entries) : undefined;
  };

  return {
    element: group.element,
    read,
    write(value) {
      const object = isValueObject(value) ? value : {};
      isEmptyObject = value !== undefined && Object.keys(object).length === 0;
      if (isCreated) fill(object);
      else pending = value === undefined ? undefined : object;
      if (Object.keys(object).length > 0 && depth < openDepth) group.open();
    },
    check(missing) {
      const value = read();
      // The fields of an object that is left out need no value.
      const isPresent = value !== undefined;
      if (missing === "all") wasSent = true;
      if (isPresent && missing === "all" && facts.required && !isCreated) group.open();
      const isChecked = wasSent && isPresent && Object.keys(value as ValueObject).length > 0;
      const fault = isChecked ? faultOf(schema, value) : undefined;
      group.showFault(fault);
      const parts = [...fields.values(), ...unionControls, ...additionalRows];
      const faulty = parts.flatMap((part) => part.check(isPresent ? missing : "none"));
      return fault === undefined ? faulty : [group.focusTarget, ...faulty];
    },
  };
}

/** Deeper groups stay closed when a value is written. */
const openDepth = 5;

interface AdditionalRow extends Control {
  name(): string;
  focus(): void;
}

function additionalRow(
  form: FormContext,
  schema: FormSchema,
  name: string,
  nested: Pick<FieldFacts, "depth" | "isParameter">,
  onRemove: () => void,
): AdditionalRow {
  const label = say("propertyName");
  const field = textInput({ class: "playground-input playground-key", "aria-label": label, placeholder: label });
  field.value = name;
  field.addEventListener("input", () => form.changed());
  const remove = button("playground-remove", sayWith("remove", name), onRemove, drawing(outlines.close));
  const control = form.createControl(form, schema, { required: false, action: remove, ...nested });
  const element = box("playground-free", field, control.element);
  return { ...control, element, name: () => field.value, focus: () => field.focus() };
}

interface ControlUnion {
  readonly discriminator?: string;
  readonly options: readonly {
    readonly schema: number | FormSchema;
    readonly title?: string;
    readonly value?: string;
  }[];
}

/** A choice of schemas, and the control of the chosen one. The values typed for the others are kept. */
export function unionControl(form: FormContext, { options, discriminator }: ControlUnion, facts: FieldFacts): Control {
  const id = form.id();
  const schemaAt = (index: number): FormSchema => {
    const { schema } = options[index]!;
    return typeof schema === "number" ? form.schemas[schema]! : schema;
  };
  const select = create("select", { class: "playground-choice", id });
  options.forEach(({ title }, index) => {
    select.append(create("option", { value: String(index) }, title ?? String(index + 1)));
  });
  /** The choice replaces the field of the discriminator, unless the discriminator has values without an option. */
  const isSelector = ({ const: only, enum: values = [] }: FormSchema = {}): boolean =>
    (only === undefined ? values : [only]).every((value) => options.some((option) => option.value === value));
  const withoutSelector = (index: number): FormSchema => {
    const schema = schemaAt(index);
    if (discriminator === undefined || options[index]!.value === undefined) return schema;
    const properties = schema.properties?.filter(
      ([property, at]) => property !== discriminator || !isSelector(form.schemas[at]),
    );
    return properties === undefined ? schema : { ...schema, properties };
  };
  /** The value without a discriminator that the option's control does not show. */
  const shownValue = (index: number, value: Value): Value => {
    const isHidden = schemaAt(index).properties?.length !== withoutSelector(index).properties?.length;
    if (!isHidden || !isValueObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([property]) => property !== discriminator));
  };
  const head = box("playground-field-head");
  const { name, action, description } = facts;
  if (name === undefined) select.setAttribute("aria-label", say("kind"));
  else head.append(create("label", { for: id, class: "playground-name" }, name), ...tags("", facts));
  head.append(select);
  if (action) head.append(action);
  const place = box("playground-option");
  const element = box("playground-union", head);
  if (description !== undefined) element.append(create("p", { class: "playground-note", dir: "auto" }, description));
  element.append(place);
  const controls = new Map<number, Control>();
  let chosen = -1;
  const choose = (index: number): Control => {
    chosen = index;
    select.value = String(index);
    let control = controls.get(index);
    if (!control) {
      // The choice shows the name and its details.
      control = form.createControl(form, withoutSelector(index), {
        required: facts.required,
        depth: facts.depth + 1,
        ...(facts.isParameter ? { isParameter: true } : {}),
      });
      controls.set(index, control);
    }
    place.replaceChildren(control.element);
    return control;
  };
  choose(0);
  select.addEventListener("change", () => {
    choose(Number(select.value));
    form.changed();
  });

  const read = (): Value | undefined => {
    const value = controls.get(chosen)!.read();
    const selector = options[chosen]!.value;
    if (discriminator === undefined || selector === undefined || !isValueObject(value)) return value;
    return discriminator in value ? value : { [discriminator]: selector, ...value };
  };
  return {
    element,
    read,
    write(value) {
      if (value === undefined) {
        for (const control of controls.values()) control.write(undefined);
        return;
      }
      const index = bestOption(value);
      choose(index).write(shownValue(index, value));
    },
    check: (missing) => controls.get(chosen)!.check(missing),
  };

  function bestOption(value: Value): number {
    if (discriminator !== undefined && isValueObject(value) && Object.hasOwn(value, discriminator)) {
      const selected = options.findIndex((option) => option.value === value[discriminator]);
      if (selected >= 0) return selected;
    }
    const scores = options.map((_, index) => matchScore(form.schemas, schemaAt(index), value));
    return scores.indexOf(Math.max(...scores));
  }
}
