import type { CommonProps, ComponentDefinition } from "./definition.js";

/** A diagram as a component. Render draws its text (or `chart`) as it draws a fence of Mermaid. */
export function Mermaid(props: CommonProps) {
  return <>{props.children}</>;
}

export const mermaid: ComponentDefinition = { name: "Mermaid", props: { chart: "text" }, render: Mermaid };
