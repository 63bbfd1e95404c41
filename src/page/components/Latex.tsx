import type { CommonProps, ComponentDefinition } from "./definition.js";

/** A formula as a component. Render draws its text as it draws formulas between dollar signs. */
export function Latex(props: CommonProps) {
  return <>{props.children}</>;
}

export const latex: ComponentDefinition = { name: "Latex", props: {}, inline: true, render: Latex };
