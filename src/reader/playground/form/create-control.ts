import { isContainer } from "../../../lib/json/json.js";
import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { create } from "../../dom.js";
import { arrayControl, objectControl } from "./container-controls.js";
import type { Control, FieldFacts, FormContext } from "./control.js";
import { box, button } from "./field.js";
import { choiceControl, fileControl, jsonControl, textControl } from "./scalar-controls.js";
import { unionControl } from "./union-control.js";
import { fits } from "./validate.js";
import type { Value } from "./value.js";

/** The control for a schema, empty, or with the values that a form begins with. */
export function createControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const whole = { description: schema.description, deprecated: schema.deprecated, ...facts };
  const control = keepsStrangers(
    form,
    schema,
    whole,
    schema.nullable ? nullable(form, schema, whole) : plain(form, schema, whole),
  );
  const start = form.prefill ? (schema.preset ?? schema.example) : undefined;
  const preset = schema.const !== undefined && facts.required ? schema.const : start;
  if (preset !== undefined && !isContainer(preset)) control.write(preset);
  return control;
}

/** Shapes that are made of shapes; a reader who wants more writes JSON. */
const maxDepth = 24;

function plain(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const { types = [], unions, properties, additional } = schema;
  if (schema.cut || facts.depth > maxDepth) return jsonControl(form, { ...schema, cut: true }, facts);
  if (schema.const !== undefined) return choiceControl(form, schema, facts, [schema.const]);
  if (schema.enum !== undefined) return choiceControl(form, schema, facts, schema.enum);
  if (schema.file) return fileControl(form, schema, facts);
  const [first, ...others] = unions ?? [];
  if (first !== undefined && others.length === 0 && properties === undefined && additional === undefined)
    return unionControl(form, first, facts);
  const [type, another] = types;
  if (another !== undefined) {
    const options = types.map((each) => ({ schema: { ...schema, types: [each], nullable: undefined }, title: each }));
    return unionControl(form, { options }, facts);
  }
  if (type === "object" || properties !== undefined) return objectControl(form, schema, facts);
  if (type === "array") return arrayControl(form, schema, facts);
  if (type === "boolean") return choiceControl(form, schema, facts, [true, false]);
  return type === undefined ? jsonControl(form, schema, facts) : textControl(form, schema, facts);
}

/** With a button for `null`, which is something else than nothing. */
function nullable(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  let isNull = false;
  const set = (value: boolean): void => {
    isNull = value;
    toggle.setAttribute("aria-pressed", String(value));
    inner.element.toggleAttribute("data-null", value);
  };
  const toggle = button("playground-null", "null", () => {
    set(!isNull);
    form.changed();
  });
  toggle.setAttribute("aria-pressed", "false");
  const action = facts.action ? create("span", { class: "playground-actions" }, toggle, facts.action) : toggle;
  const inner = plain(form, schema, { ...facts, action });
  inner.element.addEventListener("input", () => set(false));
  return {
    element: inner.element,
    read: () => (isNull ? null : inner.read()),
    write(value) {
      set(value === null);
      inner.write(value === null ? undefined : value);
    },
    check: (isSent) => (isNull ? inner.check(false) : inner.check(isSent)),
  };
}

/** A value that has no place in the control is shown, and sent, as JSON. */
function keepsStrangers(form: FormContext, schema: FormSchema, facts: FieldFacts, usual: Control): Control {
  let stranger: Control | undefined;
  const element = box("playground-slot", usual.element);
  const current = (): Control => stranger ?? usual;
  return {
    element,
    read: () => current().read(),
    write(value: Value | undefined) {
      const hasPlace = value === undefined || fits(form.schemas, schema, value);
      stranger = hasPlace ? undefined : jsonControl(form, { cut: true }, facts);
      element.replaceChildren(current().element);
      current().write(value);
    },
    check: (isSent) => current().check(isSent),
  };
}
