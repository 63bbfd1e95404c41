import { component } from "./definition.js";
import { classes } from "./shared/markup.js";

/** A grid of equal cells. It has fewer columns on narrow screens. */
const grid = (base?: string) =>
  component({
    stylesheet: "card",
    // On wide screens.
    props: { cols: "number" },
    choices: { cols: "1 2 3 4" },
    container: [],
    render: ({ cols = 2, className, id, children }) => (
      <div class={classes(base, "columns", className)} id={id} data-cols={Math.min(4, Math.max(1, Math.round(cols)))}>
        {children}
      </div>
    ),
  });

export const columns = grid();

/** The older name of `Columns`. */
export const cardGroup = grid("card-group");

/** One cell of `Columns`, for content of more than one element. */
export const column = component({
  props: {},
  render: (props) => (
    <div class={classes("column", props.className)} id={props.id}>
      {props.children}
    </div>
  ),
});

/** Content next to the text, in place of the table of contents. */
export const panel = component({
  props: {},
  panel: true,
  render: (props) => <div class={classes("panel", props.className)}>{props.children}</div>,
});
