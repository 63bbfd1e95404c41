/** @jsxImportSource preact */
import type { VNode } from "preact";
import { classes, type Props } from "./props.js";

const grid =
  (base?: string) =>
  ({ cols, className, id, children }: Props): VNode => (
    <div
      class={classes(base, "columns", className)}
      id={id as string}
      data-cols={Math.min(4, Math.max(1, Math.round(Number(cols) || 2)))}
    >
      {children}
    </div>
  );

export const Columns = grid();
export const CardGroup = grid("card-group");

export const Column = ({ className, id, children }: Props): VNode => (
  <div class={classes("column", className)} id={id as string}>
    {children}
  </div>
);
