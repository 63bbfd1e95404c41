import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { hasContent } from "./parts/nodes.js";

/** The URL of an API server and its description. Its variables are fields. */
export function ApiServer(props: CommonProps & { readonly url?: string }) {
  return (
    <div class={classes("api-server", props.className)}>
      <code class="api-server-url">{props.url ?? ""}</code>
      {hasContent(props.children) && props.children}
    </div>
  );
}

export const apiServer: Component = {
  props: { url: "text" },
  stylesheet: "api",
  render: ApiServer,
};
