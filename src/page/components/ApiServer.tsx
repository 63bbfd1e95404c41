import { component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { hasContent } from "./parts/nodes.js";

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
