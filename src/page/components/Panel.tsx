import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";

/** Content next to the text, in place of the table of contents. */
export function Panel(props: CommonProps) {
  return <div class={classes("panel", props.className)}>{props.children}</div>;
}

export const panel: Component = { props: {}, panel: true, render: Panel };
