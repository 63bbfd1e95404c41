import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";

interface ColumnsProps extends CommonProps {
  /** The largest number of columns. */
  readonly cols?: number;
}

/** A grid of equal cells. A narrow grid has fewer columns. */
export function Columns(props: ColumnsProps & { readonly base?: string }) {
  const cols = Math.min(4, Math.max(1, Math.round(props.cols ?? 2)));
  return (
    <div class={classes(props.base, "columns", props.className)} id={props.id} data-cols={cols}>
      {props.children}
    </div>
  );
}

export const columns: Component = {
  stylesheet: "card",
  props: { cols: "number" },
  render: Columns,
};

/** The older name of `Columns`. */
export const cardGroup: Component = {
  stylesheet: "card",
  props: { cols: "number" },
  render: (props: ColumnsProps) => <Columns {...props} base="card-group" />,
};
