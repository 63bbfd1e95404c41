import type { CommonProps, Component } from "./definition.js";

/** `CodeBlock`, `Heading`, `Latex` and `Mermaid`: page/render handles them like Markdown of the same meaning. */
export const renderedByRender: Component = {
  props: {},
  render: ({ children }: CommonProps) => <>{children}</>,
};
