import { component } from "./definition.js";
import { classes, controlIcon, HeadingAnchor, MethodPill, withBreaks } from "./shared/markup.js";
import { asPhrasing, hasContent, labelOf } from "./shared/nodes.js";

/**
 * The endpoint of an API reference page: method and path, below the title.
 *
 * For the client: `[data-copy]` copies the whole URL. `.tryit-button` opens the playground: `data-playground` lists the
 * files it loads, separated by spaces, and `data-failed` has the message shown if that fails.
 */
export const apiHeader = component({
  props: {
    /** `GET`; for an endpoint without a method its kind, such as `WSS`. */
    method: "text",
    /** `/users/{id}`, the name of a webhook, the address of a channel. */
    path: "text",
    /** URL that the path is appended to, without a trailing slash. */
    base: "text",
    /** Whether to show the base; otherwise it is only copied. */
    full: "boolean",
    /** Whether the address can be copied. */
    copy: "boolean",
    /** Output paths of the playground: script, style sheet, messages and form. */
    playground: "list",
    /** Whether the playground runs a workflow. */
    runs: "boolean",
  },
  stylesheet: "api",
  lead: true,
  render(props) {
    const { method, path = "", base = "", copy = true, playground = [], messages } = props;
    return (
      <div class={classes("api-header", props.className)} data-component-part="api-header">
        {method !== undefined && <MethodPill method={method} />}
        <code class="api-path">
          {props.full && base !== "" && <span class="api-base">{withSegments(base)}</span>}
          {withSegments(path)}
        </code>
        {copy && (
          <button type="button" class="api-copy" data-copy={base + path} aria-label={messages.copy}>
            {controlIcon("copy")}
          </button>
        )}
        {playground.length > 0 && (
          <button
            type="button"
            class="tryit-button"
            data-playground={playground.join(" ")}
            data-failed={messages.playgroundFailed}
          >
            {props.runs ? messages.run : messages.tryIt}
            {controlIcon("play", 14)}
          </button>
        )}
      </div>
    );
  },
});

/** Wraps each segment, so that lines break between segments; a segment breaks only if it is longer than a line. */
const withSegments = (path: string) =>
  path.split(/(?<=[^/:])(?=\/)/).map((segment) => <span class="api-path-segment">{withParameters(segment)}</span>);

/** Marks the parameters. */
const withParameters = (text: string) =>
  text
    .split(/(\{[^{}/]*\})/)
    .map((part, i) => (i % 2 === 1 ? <span class="api-path-parameter">{withBreaks(part)}</span> : withBreaks(part)));

/**
 * A part of an operation: its headers, its body, its responses.
 *
 * For the client: a section with `data-fields` gets a filter, and a button that opens all fields. The attribute has
 * their labels, separated by `|`.
 */
export const apiSection = component({
  props: {
    title: "label",
    /** A media type. */
    subtitle: "label",
    /** Whether it is part of another section, so that the page's outline does not list it. */
    nested: "boolean",
    /** Whether the content is a schema. */
    fields: "boolean",
  },
  id: { from: ["title"], toc: ({ nested }) => (nested ? undefined : 2) },
  stylesheet: "api",
  render(props) {
    const { title, subtitle, id, messages } = props;
    const Heading = props.nested ? "h3" : "h2";
    // Only an outer section is a landmark.
    const Section = props.nested ? "div" : "section";
    const { expandAll, collapseAll, filterFields, noFields } = messages;
    const words = props.fields ? [expandAll, collapseAll, filterFields, noFields].join("|") : undefined;
    return (
      <Section
        class={classes("api-section", props.className)}
        aria-labelledby={props.nested ? undefined : id}
        data-fields={words}
      >
        <div class="api-section-heading">
          <Heading class="api-section-heading-title" id={id}>
            {asPhrasing(title ?? [])}
            {id !== undefined && <HeadingAnchor id={id} label={labelOf(title)} messages={messages} />}
          </Heading>
          {hasContent(subtitle) && <p class="api-section-heading-subtitle">{asPhrasing(subtitle)}</p>}
        </div>
        {props.children}
      </Section>
    );
  },
});

/** The URL of an API server and its description. Its variables are fields. */
export const apiServer = component({
  props: { url: "text" },
  stylesheet: "api",
  render: (props) => (
    <div class={classes("api-server", props.className)}>
      <code class="api-server-url">{props.url ?? ""}</code>
      {hasContent(props.children) && props.children}
    </div>
  ),
});

/** The operation that a workflow step calls: its method or kind, then its address, which links to its page. */
export const apiCall = component({
  props: { method: "text" },
  stylesheet: "api",
  render: (props) => (
    <div class={classes("api-call", props.className)}>
      {props.method !== undefined && <MethodPill method={props.method} />}
      {props.children}
    </div>
  ),
});

/** Links to the files of an API that readers can download. */
export const apiDownloads = component({
  props: {
    /** Relative address of the specification as JSON. */
    spec: "text",
    /** Relative address of a Postman collection. */
    collection: "text",
  },
  stylesheet: "api",
  render({ spec, collection, className, messages }) {
    const files = [
      { href: spec, name: messages.downloadSpec },
      { href: collection, name: messages.downloadCollection },
    ];
    return (
      <p class={classes("api-downloads", className)}>
        {files
          .filter(({ href }) => href !== undefined && isOfBundle.test(href))
          .map(({ href, name }) => (
            <a href={href} download>
              {name}
            </a>
          ))}
      </p>
    );
  },
});

/** Authors can write this component too, so only files of the bundle are linked. */
const isOfBundle = /^(?:\.\.\/)*[\w./-]+\.json$/;
