import type { Component } from "./definition.js";
import { Field, type FieldProps } from "./parts/field.js";

/** A field of a response. */
export function ResponseField(props: FieldProps & { readonly hidden?: boolean }) {
  return <>{!props.hidden && <Field {...props} />}</>;
}

export const responseField: Component = {
  props: {
    name: "text",
    type: "label",
    location: "text",
    default: "value",
    required: "boolean",
    optional: "boolean",
    deprecated: "boolean",
    readOnly: "boolean",
    writeOnly: "boolean",
    hidden: "boolean",
    pre: "list",
    post: "list",
  },
  id: { from: ["name"], prefix: "param-", nested: true },
  stylesheet: "field",
  render: ResponseField,
};
