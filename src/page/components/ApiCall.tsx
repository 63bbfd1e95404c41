import { component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { MethodPill } from "./parts/method-pill.js";

/** What a step of a workflow calls: its method or kind, then its address, which leads to its page. */
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
