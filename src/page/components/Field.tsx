import type { ElementContent } from "hast";
import type { JsxChild, JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";
import { fieldLocationOf } from "../content/index.js";
import { component, type PropsOf } from "./definition.js";
import { classes, Disclosure, Part, withBreaks } from "./shared/markup.js";
import { asPhrasing, hasContent } from "./shared/nodes.js";

const common = {
  name: "text",
  type: "label",
  default: "value",
  required: "boolean",
  optional: "boolean",
  deprecated: "boolean",
  readOnly: "boolean",
  writeOnly: "boolean",
  /** Pills before the name (`pre`) and after everything else (`post`). */
  pre: "list",
  post: "list",
} as const;

interface FieldProps extends PropsOf<typeof common> {
  /** Its location in the request: `path`, `query`, `body`, `header` or `cookie`. */
  readonly location?: string;
}

/** A field of a response. */
export const responseField = component({
  props: { ...common, location: "text", hidden: "boolean" },
  required: ["name"],
  id: { from: ["name"], prefix: "param-", nested: true },
  stylesheet: "field",
  render: (props) => <>{!props.hidden && <Field {...props} />}</>,
});

/** A parameter of a request: `query="limit"`, or in the older form `path="query.limit"`. */
export const paramField = component({
  props: { ...common, path: "text", query: "text", body: "text", header: "text", cookie: "text" },
  otherProps: ["placeholder", "initialValue"],
  required: ["path", "query", "body", "header", "cookie", "name"],
  exclusive: ["path", "query", "body", "header", "cookie"],
  id: { from: ["path", "query", "body", "header", "cookie", "name"], prefix: "param-", nested: true },
  stylesheet: "field",
  render(props) {
    const { name, place } = fieldLocationOf({ ...props });
    return <Field {...props} name={name} location={place} />;
  },
});

/**
 * A field of a request or a response: its name as code, pills with facts about it, then its description.
 *
 * For the client: the header of a field with an id gets a link to the field.
 */
function Field(props: FieldProps): JsxNode {
  const facts = factsOf(props).filter((fact) => fact !== undefined);
  return (
    <div class={classes("field", props.className)} id={props.id} data-location={props.location}>
      <Part name="field-header">{facts.flatMap((fact, index) => (index === 0 ? [fact] : [" ", fact]))}</Part>
      {hasContent(props.children) && <Part name="field-content">{props.children}</Part>}
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
        {props.name.length > wholeNameLength ? withBreaks(props.name, 10) : props.name}
      </code>
    ),
    hasContent(props.type) ? <Pill>{asPhrasing(props.type, true)}</Pill> : undefined,
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

/** Longest name that fits on a line of a phone, in UTF-16 code units. */
const wholeNameLength = 24;

/** A fact about a field in a few words; `kind` names the part: `field-required-pill`. */
function Pill(props: { readonly kind?: string; readonly children: JsxChild }): JsxNode {
  return (
    <span class="field-pill" data-kind={props.kind} data-component-part={`field-${props.kind ?? "info"}-pill`}>
      {props.children}
    </span>
  );
}

/** Longer defaults (in UTF-16 code units) are not shown; authors put them in the description. */
const maxDefaultLength = 200;

function defaultText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value || '""' : JSON.stringify(value);
  return text === undefined || text.length > maxDefaultLength ? undefined : text;
}

/**
 * The fields inside a field, folded under a title.
 *
 * For the client: with `data-prefix` the content is a link to another page. The client replaces it by the fields of
 * that page, and adds the prefix to their ids.
 */
export const expandable = component({
  props: {
    title: "label",
    defaultOpen: "boolean",
    /** Relative address of the page that has the fields. */
    source: "text",
    /** Start of the ids of the fields in this page. */
    prefix: "text",
  },
  render(props) {
    const { title, messages } = props;
    const source = modelPage.test(props.source ?? "") ? props.source : undefined;
    return (
      <Disclosure
        part="expandable"
        class={classes("expandable", props.className)}
        id={props.id}
        open={props.defaultOpen}
        prefix={source === undefined ? undefined : props.prefix}
        summary={
          <Part as="span" name="expandable-title">
            {withVerb(messages, hasContent(title) ? asPhrasing(title) : messages.attributes)}
          </Part>
        }
      >
        {source === undefined ? (
          props.children
        ) : (
          <p>
            <a href={source}>{asPhrasing(props.children)}</a>
          </p>
        )}
      </Disclosure>
    );
  },
});

/** `Show` and `Hide`, before or after the title as the language requires; the style sheet shows one of the two. */
function withVerb({ show, hide }: Messages, title: JsxChild): JsxChild {
  const [showBefore, showAfter] = show.split("%");
  const [hideBefore, hideAfter] = hide.split("%");
  return [
    showBefore && <span class="when-closed">{showBefore}</span>,
    hideBefore && <span class="when-open">{hideBefore}</span>,
    title,
    showAfter && <span class="when-closed">{showAfter}</span>,
    hideAfter && <span class="when-open">{hideAfter}</span>,
  ];
}

/** A relative address without a scheme: authors can write this component too. */
const modelPage = /^(?!\/)[^:?#\\]+$/;

/** A fact about a field on its own line: `Available options: a, b`. */
export const fieldNote = component({
  props: {
    label: "text",
    /** How many children are always visible; the others are folded. Default: all. */
    shown: "number",
    /** Title of the folded part: `40 options`. */
    rest: "text",
  },
  stylesheet: "api",
  render({ label, shown, rest, className, children, messages }) {
    const visible = children.slice(0, shown);
    const folded = children.slice(visible.length);
    // Drop the separator before the folded part.
    if (folded.length > 0 && isSeparator(visible.at(-1))) visible.pop();
    return (
      <div class={classes("field-note", className)}>
        {label !== undefined && <span class="field-note-label">{label}:</span>} {hasContent(visible) && visible}
        {folded.length > 0 && (
          <expandable.render title={[{ type: "text", value: rest ?? messages.options }]} messages={messages}>
            {folded}
          </expandable.render>
        )}
      </div>
    );
  },
});

const isSeparator = (node: ElementContent | undefined): boolean => node?.type === "text" && /^[\s,]*$/.test(node.value);
