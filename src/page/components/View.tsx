import { component } from "./definition.js";
import { classes } from "./shared/markup.js";
import { labelOf } from "./shared/nodes.js";

/**
 * One variant of the page's content. The HTML has all variants under their titles.
 *
 * For the client: each `[data-view]` with the chosen `data-view-title` gets `data-active`. Once `html[data-views]` is
 * set, the others and all titles are hidden.
 */
export const view = component({
  props: { title: "label", icon: "icon" },
  id: { from: ["title"], prefix: "view-" },
  required: ["title"],
  stylesheet: "view",
  render(props) {
    const title = labelOf(props.title) || props.messages.view;
    return (
      <section
        class={classes("view", props.className)}
        id={props.id}
        aria-label={title}
        data-view=""
        data-view-title={title}
      >
        <p class="view-title">
          {props.icon && [props.icon, " "]}
          {title}
        </p>
        {props.children}
      </section>
    );
  },
});

/** Content for people or for AI agents. Agents read the page's Markdown version, so the HTML omits their content. */
export const visibility = component({
  props: { for: "text" },
  choices: { for: "humans agents" },
  inline: true,
  render: (props) => <>{props.for?.trim().toLowerCase() === "agents" ? undefined : props.children}</>,
});
