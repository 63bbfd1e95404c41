import { component } from "./definition.js";
import { badgeColor, badgeColors, badgeIntents } from "./shared/kinds.js";
import { classes, linkAttributes } from "./shared/markup.js";
import { asPhrasing } from "./shared/nodes.js";

const sizes = new Set(["xs", "sm", "md", "lg"]);

/** A word or two on a coloured background, within a line of text. */
export const badge = component({
  stylesheet: "badge",
  props: {
    color: "text",
    size: "text",
    shape: "text",
    icon: "icon",
    leadIcon: "icon",
    tailIcon: "icon",
    stroke: "boolean",
    variant: "text",
    disabled: "boolean",
    href: "href",
    /** The name of `color` in other tools. */
    intent: "text",
  },
  choices: {
    color: [...badgeColors, ...Object.keys(badgeIntents)].join(" "),
    size: [...sizes].join(" "),
    shape: "rounded pill",
  },
  inline: true,
  render(props) {
    const lead = props.leadIcon ?? props.icon;
    const attributes = {
      class: classes("badge", props.className),
      id: props.id,
      "data-badge": "",
      "data-color": badgeColor(props.color ?? props.intent),
      "data-size": props.size && sizes.has(props.size) ? props.size : "md",
      "data-shape": props.shape === "pill" ? "pill" : "rounded",
      "data-stroke": props.stroke || props.variant === "outline" ? "" : undefined,
      "data-disabled": props.disabled ? "" : undefined,
    };
    const content = [
      lead && <span class="badge-icon">{lead}</span>,
      asPhrasing(props.children),
      props.tailIcon && <span class="badge-icon">{props.tailIcon}</span>,
    ];
    if (props.href === undefined || props.disabled) return <span {...attributes}>{content}</span>;
    return (
      <a {...attributes} {...linkAttributes(props.href)}>
        {content}
      </a>
    );
  },
});
