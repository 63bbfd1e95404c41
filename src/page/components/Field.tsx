import type { JsxChild, JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { fieldLocationOf } from "../content/index.js";
import { component, type PropsOf } from "./definition.js";
import { classes } from "./parts/classes.js";
import { asPhrasing, hasContent } from "./parts/nodes.js";
import { withBreaks } from "./parts/word-breaks.js";

const common = {
  name: "text",
  type: "label",
  default: "value",
  required: "boolean",
  optional: "boolean",
  deprecated: "boolean",
  readOnly: "boolean",
  writeOnly: "boolean",
  /** Words before the name, and after all else that is said of it. */
  pre: "list",
  post: "list",
} as const;

interface FieldProps extends PropsOf<typeof common> {
  /** `path`, `query`, `body`, `header`, `cookie` ...: where a request carries it. */
  readonly location?: string;
}

/** A field of a response. */
export const responseField = component({
  props: { ...common, location: "text", hidden: "boolean" },
  id: { from: ["name"], prefix: "param-", nested: true },
  stylesheet: "field",
  render: (props) => <>{!props.hidden && <Field {...props} />}</>,
});

/** A parameter of a request: `query="limit"`, or in the older form `path="query.limit"`. */
export const paramField = component({
  props: { ...common, path: "text", query: "text", body: "text", header: "text", cookie: "text" },
  id: { from: ["path", "query", "body", "header", "cookie", "name"], prefix: "param-", nested: true },
  stylesheet: "field",
  render(props) {
    const { name, place } = fieldLocationOf({ ...props });
    return <Field {...props} name={name} location={place} />;
  },
});

/**
 * One field of a request or a response: its name as code, what is to know about it as words, then the text.
 *
 * For the client: a field with an id gets a link to itself in its header.
 */
function Field(props: FieldProps): JsxNode {
  const facts = factsOf(props).filter((fact) => fact !== undefined);
  return (
    <div class={classes("field", props.className)} id={props.id} data-location={props.location}>
      <div class="field-header" data-component-part="field-header">
        {facts.flatMap((fact, index) => (index === 0 ? [fact] : [" ", fact]))}
      </div>
      {hasContent(props.children) && (
        <div class="field-content" data-component-part="field-content">
          {props.children}
        </div>
      )}
    </div>
  );
}

function factsOf(props: FieldProps): readonly (JsxNode | undefined)[] {
  const fallback = defaultText(props.default);
  const { messages } = props;
  const word = (text: string) => <Pill>{text}</Pill>;
  return [
    ...(props.pre ?? []).map(word),
    props.name === undefined ? undefined : (
      <code class="field-name" data-component-part="field-name">
        {props.name.length > wholeNameLength ? withBreaks(props.name) : props.name}
      </code>
    ),
    hasContent(props.type) ? <Pill>{asPhrasing(props.type)}</Pill> : undefined,
    props.location === undefined ? undefined : word(props.location),
    props.required ? <Pill kind="required">{messages.required}</Pill> : undefined,
    props.optional && !props.required ? word(messages.optional) : undefined,
    props.deprecated ? <Pill kind="deprecated">{messages.deprecatedField}</Pill> : undefined,
    fallback === undefined ? undefined : (
      <Pill kind="default">
        {messages.defaultValue} <code>{fallback}</code>
      </Pill>
    ),
    props.readOnly ? word(messages.readOnly) : undefined,
    props.writeOnly ? word(messages.writeOnly) : undefined,
    ...(props.post ?? []).map(word),
  ];
}

/** Longest name that fits a line of a phone, in UTF-16 code units. */
const wholeNameLength = 24;

/** A fact about a field in a few words; `kind` names the part: `field-required-pill`. */
function Pill(props: { readonly kind?: string; readonly children: JsxChild }): JsxNode {
  return (
    <span class="field-pill" data-kind={props.kind} data-component-part={`field-${props.kind ?? "info"}-pill`}>
      {props.children}
    </span>
  );
}

/** Longest default shown, in UTF-16 code units: what is longer belongs into the text. */
const maxDefaultLength = 200;

function defaultText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value || '""' : JSON.stringify(value);
  return text === undefined || text.length > maxDefaultLength ? undefined : text;
}
