import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { create } from "../../dom.js";
import { say } from "../messages.js";
import { type Control, type FieldFacts, type FormContext, isValueObject, type Value } from "./control.js";
import { box, tags } from "./field.js";
import { matchScore } from "./validate.js";

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
