import type { ComponentDefinition } from "./definition.js";
import { Field, type FieldProps } from "./parts/field.js";

type Location = (typeof locations)[number];
interface ParamFieldProps extends FieldProps, Readonly<Partial<Record<Location, string>>> {}

const locations = ["path", "query", "body", "header", "cookie"] as const;

/** A parameter of a request: `query="limit"`, or in the older form `path="query.limit"`. */
export function ParamField(props: ParamFieldProps) {
  return <Field {...props} {...addressOf(props)} />;
}

function addressOf(props: ParamFieldProps): { readonly name?: string; readonly location?: Location } {
  const location = locations.find((each) => props[each] !== undefined);
  if (location === undefined) return { name: props.name };
  const written = props[location]!;
  const older = locations.find((each) => location === "path" && written.startsWith(`${each}.`));
  return older ? { name: written.slice(older.length + 1), location: older } : { name: written, location };
}

export const paramField: ComponentDefinition = {
  name: "ParamField",
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
  id: { from: [...locations, "name"], prefix: "param-", nested: true },
  stylesheet: "field",
  render: ParamField,
};
