import type { CommonProps, Component } from "./definition.js";

/** Content for people or for agents, which read the Markdown of the page. HTML is for people. */
export function Visibility(props: CommonProps & { readonly for?: string }) {
  return <>{props.for?.trim().toLowerCase() === "agents" ? undefined : props.children}</>;
}

export const visibility: Component = {
  props: { for: "text" },
  inline: true,
  render: Visibility,
};
