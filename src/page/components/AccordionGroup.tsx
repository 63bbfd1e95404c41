import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";

/** Accordions in one frame. Each opens independently. */
export function AccordionGroup(props: CommonProps) {
  return <div class={classes("accordion-group", props.className)}>{props.children}</div>;
}

export const accordionGroup: Component = { props: {}, render: AccordionGroup };
