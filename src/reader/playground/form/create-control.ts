import { isContainer } from "../../../lib/json/json.js";
import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { create } from "../../dom.js";
import { arrayControl, objectControl, unionControl } from "./container-controls.js";
import type { Control, FieldFacts, FormContext, Value } from "./control.js";
import { box, button } from "./field.js";
import { choiceControl, fileControl, jsonControl, textControl } from "./scalar-controls.js";
import { fits } from "./validate.js";

export function createControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const allFacts = { description: schema.description, deprecated: schema.deprecated, ...facts };
  const usual = schema.nullable ? nullableControl(form, schema, allFacts) : plainControl(form, schema, allFacts);
  const control = withJsonFallback(form, schema, allFacts, usual);
  const example = form.prefill ? (schema.preset ?? schema.example) : undefined;
  const start = schema.const !== undefined && facts.required ? schema.const : example;
  if (start !== undefined && !isContainer(start)) control.write(start);
  return control;
}

/** Nesting of controls. Below it, values are written as JSON. */
const maxDepth = 24;

function plainControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const { types = [], unions, properties, additional } = schema;
  if (schema.cut || facts.depth > maxDepth) return jsonControl(form, { ...schema, cut: true }, facts);
  if (schema.const !== undefined) return choiceControl(form, schema, facts, [schema.const]);
  if (schema.enum !== undefined) return choiceControl(form, schema, facts, schema.enum);
  if (schema.file) return fileControl(form, schema, facts);
  const [first, ...others] = unions ?? [];
  if (first !== undefined && others.length === 0 && properties === undefined && additional === undefined)
    return unionControl(form, first, facts);
  const [type] = types;
  if (types.length > 1) {
    const options = types.map((title) => ({ schema: { ...schema, types: [title], nullable: undefined }, title }));
    return unionControl(form, { options }, facts);
  }
  if (type === "object" || properties !== undefined) return objectControl(form, schema, facts);
  if (type === "array") return arrayControl(form, schema, facts);
  if (type === "boolean") return choiceControl(form, schema, facts, [true, false]);
  return type === undefined ? jsonControl(form, schema, facts) : textControl(form, schema, facts);
}

/** A control with a button for `null`, which differs from no value. */
function nullableControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
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
  const action = facts.action ? create("span", "playground-actions", toggle, facts.action) : toggle;
  const inner = plainControl(form, schema, { ...facts, action });
  inner.element.addEventListener("input", () => set(false));
  return {
    element: inner.element,
    read: () => (isNull ? null : inner.read()),
    write(value) {
      set(value === null);
      inner.write(value === null ? undefined : value);
    },
    check: (missing) => inner.check(isNull ? "none" : missing),
  };
}

/** Shows and sends a value that does not fit the usual control as JSON. */
function withJsonFallback(form: FormContext, schema: FormSchema, facts: FieldFacts, usual: Control): Control {
  let fallback: Control | undefined;
  const element = box("playground-slot", usual.element);
  const current = (): Control => fallback ?? usual;
  return {
    element,
    read: () => current().read(),
    write(value: Value | undefined) {
      const isUsual = value === undefined || fits(form.schemas, schema, value);
      fallback = isUsual ? undefined : jsonControl(form, { cut: true }, facts);
      element.replaceChildren(current().element);
      current().write(value);
    },
    check: (missing) => current().check(missing),
  };
}
