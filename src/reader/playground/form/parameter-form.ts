import type { FormParameter, PlaygroundForm } from "../../../reference/forms/playground-form.js";
import { type Draft, isForbidden } from "../build-request.js";
import type { PastRequest } from "../history.js";
import { say } from "../messages.js";
import type { Control, FormContext, Missing } from "./control.js";
import { createControl } from "./create-control.js";
import { section } from "./elements.js";

const sections = [
  ["path", "pathParameters"],
  ["query", "queryParameters"],
  ["header", "headers"],
  ["cookie", "cookies"],
] as const;

export function createParameterForm(form: FormContext, parameters: PlaygroundForm["parameters"]) {
  const controls = parameters.map((parameter) => ({ parameter, control: parameterControl(form, parameter) }));
  const elements = sections.flatMap(([place, title]) => {
    const inPlace = controls.filter(({ parameter }) => parameter.place === place);
    return inPlace.length === 0 ? [] : [section(form, say(title), ...inPlace.map(({ control }) => control.element))];
  });
  return {
    elements,
    values: (): Draft["parameters"] =>
      controls.flatMap(({ parameter, control }) => {
        const value = control.read();
        const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0) || isEmptyObject(value);
        return isEmpty ? [] : [{ parameter, value }];
      }),
    fill(values: PastRequest["parameters"]): void {
      for (const { parameter, control } of controls)
        control.write(values.find(([place, name]) => place === parameter.place && name === parameter.name)?.[2]);
    },
    check: (missing: Missing) => controls.flatMap(({ control }) => control.check(missing)),
  };
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

function parameterControl(form: FormContext, parameter: FormParameter): Control {
  const { name, place, required, deprecated, description, schema, example, start } = parameter;
  const note =
    place === "cookie" ? say("cookieNote") : place === "header" && isForbidden(name) ? say("headerNote") : undefined;
  const control = createControl(form, form.schemas[schema]!, {
    name,
    required,
    depth: 1,
    isParameter: true,
    ...(description === undefined ? {} : { description }),
    ...(deprecated ? { deprecated } : {}),
    ...(note === undefined ? {} : { note }),
  });
  const first = (form.prefill ? example : undefined) ?? start;
  if (first !== undefined) control.write(first);
  return control;
}
