import type { CommonProps, ComponentDefinition } from "./definition.js";

/** Content for people or for programs that read the Markdown of the page; HTML is for people. */
export function Visibility(props: CommonProps & { readonly for?: string }) {
  return <>{props.for?.trim().toLowerCase() === "agents" ? undefined : props.children}</>;
}

export const visibility: ComponentDefinition = {
  name: "Visibility",
  props: { for: "text" },
  inline: true,
  render: Visibility,
};
