import type { CommonProps, Component } from "./definition.js";

/** A formula as a component. Render draws its text as it draws formulas between dollar signs. */
export function Latex(props: CommonProps) {
  return <>{props.children}</>;
}

export const latex: Component = { props: {}, inline: true, render: Latex };
