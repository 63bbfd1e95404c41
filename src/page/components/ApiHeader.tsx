import { component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { controlIcon } from "./parts/icons.js";
import { MethodPill } from "./parts/method-pill.js";
import { withBreaks } from "./parts/word-breaks.js";

/**
 * The endpoint of a page of the API reference: method and path, below the title.
 *
 * For the client: `[data-copy]` copies the whole URL. `.tryit-button` opens the playground: `data-playground` lists the
 * files it loads, separated by spaces, and `data-failed` has the message shown if that fails.
 */
export const apiHeader = component({
  props: {
    /** `GET`, `WSS`; the kind of endpoint where there is no method. */
    method: "text",
    /** `/users/{id}`, the name of a webhook, the address of a channel. */
    path: "text",
    /** URL that the path is added to, without a slash at its end. */
    base: "text",
    /** Shows the base too; else it is only copied. */
    full: "boolean",
    /** Whether the address can be copied. */
    copy: "boolean",
    /** Output paths of the playground: script, style sheet, messages and form. */
    playground: "list",
    /** Runs a workflow. */
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

/** Its segments: a line breaks between them, and within one only if it is longer than the line. */
const withSegments = (path: string) =>
  path.split(/(?<=[^/:])(?=\/)/).map((segment) => <span class="api-path-segment">{withParameters(segment)}</span>);

/** Marks the parameters. */
const withParameters = (text: string) =>
  text
    .split(/(\{[^{}/]*\})/)
    .map((part, i) => (i % 2 === 1 ? <span class="api-path-parameter">{withBreaks(part)}</span> : withBreaks(part)));
