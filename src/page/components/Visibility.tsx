import { component } from "./definition.js";

/** Content for people or for agents, which read the Markdown of the page. HTML is for people. */
export const visibility = component({
  props: { for: "text" },
  inline: true,
  render: (props) => <>{props.for?.trim().toLowerCase() === "agents" ? undefined : props.children}</>,
});
