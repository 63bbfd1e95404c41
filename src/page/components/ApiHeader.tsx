import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { controlIcon } from "./parts/icons.js";
import { MethodPill } from "./parts/method-pill.js";

interface ApiHeaderProps extends CommonProps {
  /** `GET`, `WSS`; what it is about where there is no method. */
  readonly method?: string;
  /** `/users/{id}`, the name of a webhook, the address of a channel. */
  readonly path?: string;
  /** Address that the path is added to, without a slash at its end. */
  readonly base?: string;
  /** Show the base too, and not only hand it on. */
  readonly full?: boolean;
  /** Whether the address can be copied. */
  readonly copy?: boolean;
  /** What a reader can call it with: output paths of the script, its style sheet, its words and the form. */
  readonly playground?: readonly string[];
}

/**
 * What a page of the API reference is about: method and path, right below the title.
 *
 * For the client: `[data-copy]` copies the whole address. `.tryit-button` opens the playground: what it loads then is in
 * `data-playground`, with blanks between, and what it says where that fails in `data-failed`.
 */
export function ApiHeader(props: ApiHeaderProps) {
  const { method, path = "", base = "", copy = true, playground = [], messages } = props;
  return (
    <div class={classes("api-header", props.className)} data-component-part="api-header">
      {method !== undefined && <MethodPill method={method} />}
      <code class="api-path">
        {props.full && base !== "" && <span class="api-base">{withBreaks(base)}</span>}
        {withParameters(path)}
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
          {messages.tryIt}
          {controlIcon("play", 14)}
        </button>
      )}
    </div>
  );
}

/** Parameters of a path stand out; a line may break before each slash. */
const withParameters = (path: string) =>
  path
    .split(/(\{[^{}/]*\})/)
    .map((part, i) => (i % 2 === 1 ? <span class="api-path-parameter">{part}</span> : withBreaks(part)));

const withBreaks = (text: string) =>
  text.split(/(?<=[^/:])(?=\/)/).flatMap((part, i) => (i === 0 ? [part] : [<wbr />, part]));

export const apiHeader: Component = {
  props: { method: "text", path: "text", base: "text", full: "boolean", copy: "boolean", playground: "list" },
  stylesheet: "api",
  lead: true,
  render: ApiHeader,
};
