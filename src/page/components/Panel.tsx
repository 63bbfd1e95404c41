import type { CommonProps, ComponentDefinition } from "./definition.js";
import { classes } from "./parts/classes.js";

/** Content beside the text, in the place of the table of contents. */
export function Panel(props: CommonProps) {
  return <div class={classes("panel", props.className)}>{props.children}</div>;
}

export const panel: ComponentDefinition = { name: "Panel", props: {}, panel: true, render: Panel };
