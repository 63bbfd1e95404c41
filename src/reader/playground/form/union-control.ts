import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { create } from "../../dom.js";
import { say } from "../messages.js";
import type { Control, FieldFacts, FormContext } from "./control.js";
import { box, tags } from "./field.js";
import { likeness } from "./validate.js";
import { isValueObject, type Value } from "./value.js";

export interface ControlUnion {
  readonly discriminator?: string;
  readonly options: readonly {
    readonly schema: number | FormSchema;
    readonly title?: string;
    readonly value?: string;
  }[];
}

/** A choice of shapes, and the control of the one that is chosen. What was typed in another is kept for its return. */
export function unionControl(form: FormContext, { options, discriminator }: ControlUnion, facts: FieldFacts): Control {
  const id = form.id();
  const schemaAt = (index: number): FormSchema => {
    const { schema: written } = options[index]!;
    return typeof written === "number" ? form.schemas[written]! : written;
  };
  const select = create("select", { class: "playground-choice", id });
  options.forEach(({ title }, index) => {
    select.append(create("option", { value: String(index) }, title ?? String(index + 1)));
  });
  /** The choice itself is the field for the property that selects the option, unless that has values of no option. */
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
  /** What the control of an option shows of a value. */
  const shownOf = (index: number, value: Value): Value => {
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
  const made = new Map<number, Control>();
  let chosen = -1;
  const choose = (index: number): Control => {
    chosen = index;
    select.value = String(index);
    let control = made.get(index);
    if (!control) {
      // The name and its details are shown with the choice.
      control = form.createControl(form, withoutSelector(index), {
        required: facts.required,
        depth: facts.depth + 1,
        ...(facts.isParameter ? { isParameter: true } : {}),
      });
      made.set(index, control);
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
    const value = made.get(chosen)!.read();
    const told = options[chosen]!.value;
    if (discriminator === undefined || told === undefined || !isValueObject(value)) return value;
    return discriminator in value ? value : { [discriminator]: told, ...value };
  };
  return {
    element,
    read,
    write(value) {
      if (value === undefined) {
        for (const control of made.values()) control.write(undefined);
        return;
      }
      const index = bestOption(value);
      choose(index).write(shownOf(index, value));
    },
    check: (isSent) => made.get(chosen)!.check(isSent),
  };

  function bestOption(value: Value): number {
    if (discriminator !== undefined && isValueObject(value) && Object.hasOwn(value, discriminator)) {
      const told = options.findIndex((option) => option.value === value[discriminator]);
      if (told >= 0) return told;
    }
    const scores = options.map((_, index) => likeness(form.schemas, schemaAt(index), value));
    return scores.indexOf(Math.max(...scores));
  }
}
