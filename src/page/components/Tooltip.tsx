import { component } from "./definition.js";
import { classes, controlIcon, linkAttributes, Part } from "./shared/markup.js";
import { asPhrasing, hasContent, hasInteractive } from "./shared/nodes.js";

/**
 * A word with an explanation that the style sheet shows on hover and on focus.
 *
 * For the client: a tap on `.tooltip-trigger` toggles `data-open` on its `[data-tooltip]`. Escape hides the explanation:
 * it sets `data-dismissed` until pointer and focus have left.
 */
export const tooltip = component({
  stylesheet: "tooltip",
  required: ["tip", "description", "headline", "title"],
  container: [],
  props: {
    tip: "content",
    headline: "label",
    cta: "label",
    href: "href",
    /** Aliases of `tip` and `headline`. */
    description: "content",
    title: "label",
    side: "text",
    align: "text",
  },
  id: { from: ["headline", "title", "tip", "description"], prefix: "tooltip-" },
  inline: true,
  render(props) {
    const tip = hasContent(props.tip) ? props.tip : props.description;
    const headline = hasContent(props.headline) ? props.headline : props.title;
    if (!hasContent(tip) && !hasContent(headline)) return <>{props.children}</>;
    if (!hasContent(props.children)) return <>{hasContent(tip) ? tip : headline}</>;
    const link = props.href && (
      <a class="tooltip-link" data-component-part="tooltip-cta" {...linkAttributes(props.href)}>
        {hasContent(props.cta) ? asPhrasing(props.cta) : props.messages.readMore}
        {controlIcon("arrowRight", 14)}
      </a>
    );
    return (
      <span
        class={classes("tooltip", props.className)}
        data-tooltip=""
        data-side={props.side && sides.has(props.side) ? props.side : "top"}
        data-align={props.align && aligns.has(props.align) ? props.align : "center"}
      >
        {hasInteractive(props.children) ? (
          <span class="tooltip-trigger">{props.children}</span>
        ) : (
          <button type="button" class="tooltip-trigger" aria-describedby={props.id}>
            {asPhrasing(props.children)}
          </button>
        )}
        <span class="tooltip-content" id={props.id} role={link ? undefined : "tooltip"}>
          {hasContent(headline) && (
            <Part as="span" name="tooltip-headline">
              {asPhrasing(headline)}
            </Part>
          )}{" "}
          {hasContent(tip) && (
            <Part as="span" name="tooltip-tip">
              {asPhrasing(tip)}
            </Part>
          )}{" "}
          {link}
        </span>
      </span>
    );
  },
});

const sides = new Set(["top", "bottom", "left", "right"]);
const aligns = new Set(["start", "center", "end"]);
