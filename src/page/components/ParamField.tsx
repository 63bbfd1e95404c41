import { type FieldLocation, fieldLocationOf } from "../content/index.js";
import type { Component } from "./definition.js";
import { Field, type FieldProps } from "./parts/field.js";

type ParamFieldProps = FieldProps & Readonly<Partial<Record<FieldLocation, string>>>;

/** A parameter of a request: `query="limit"`, or in the older form `path="query.limit"`. */
export function ParamField(props: ParamFieldProps) {
  const { name, place } = fieldLocationOf({ ...props });
  return <Field {...props} name={name} location={place ?? props.location} />;
}

export const paramField: Component = {
  props: {
    path: "text",
    query: "text",
    body: "text",
    header: "text",
    cookie: "text",
    name: "text",
    type: "label",
    default: "value",
    required: "boolean",
    optional: "boolean",
    deprecated: "boolean",
    readOnly: "boolean",
    writeOnly: "boolean",
    pre: "list",
    post: "list",
  },
  id: { from: ["path", "query", "body", "header", "cookie", "name"], prefix: "param-", nested: true },
  stylesheet: "field",
  render: ParamField,
};
