import { component } from "./definition.js";
import { classes } from "./parts/classes.js";

/** Content next to the text, in place of the table of contents. */
export const panel = component({
  props: {},
  panel: true,
  render: (props) => <div class={classes("panel", props.className)}>{props.children}</div>,
});
