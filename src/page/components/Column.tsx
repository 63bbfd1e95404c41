import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";

/** One cell of `Columns`, for content of more than one element. */
export function Column(props: CommonProps) {
  return (
    <div class={classes("column", props.className)} id={props.id}>
      {props.children}
    </div>
  );
}

export const column: Component = { props: {}, render: Column };
