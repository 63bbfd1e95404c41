import { component } from "./definition.js";
import { classes } from "./parts/classes.js";

const types = new Set(["info", "warning", "critical"]);

/** An announcement in the text. It looks like the banner that docs.json puts on every page. */
export const banner = component({
  props: { type: "text" },
  render: (props) => (
    <div
      class={classes("page-banner", props.className)}
      id={props.id}
      role="note"
      aria-label={props.messages.announcement}
      data-banner-type={props.type && types.has(props.type) ? props.type : "info"}
    >
      {props.children}
    </div>
  ),
});
