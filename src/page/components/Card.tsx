import type { ElementContent } from "hast";
import type { JsxChild, JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { component, type PropsOf } from "./definition.js";
import { calloutKindOf } from "./shared/kinds.js";
import { calloutIcon, classes, controlIcon, linkBox, Part } from "./shared/markup.js";
import { hasContent } from "./shared/nodes.js";
import { tinted } from "./shared/tint.js";

const cardProps = {
  title: "label",
  icon: "icon",
  /** Colour of the icon. */
  color: "color",
  href: "href",
  horizontal: "boolean",
  img: "image",
  cta: "label",
  /** Shows or hides the arrow. By default, links to other hosts have one. */
  arrow: "boolean",
  /** The kind of callout whose colours the card has. */
  type: "text",
  disabled: "boolean",
  /** By default, links to other hosts open in a new tab: see `linkAttributes`. */
  newTab: "boolean",
} as const;
type CardProps = PropsOf<typeof cardProps>;

/** A framed link or note. The title alone is the link if the card contains links or controls. */
function Card(props: CardProps): JsxNode {
  const kind = calloutKindOf(props.type);
  const href = props.disabled ? undefined : props.href;
  const attributes = {
    class: classes("card", props.className),
    id: props.id,
    "data-horizontal": props.horizontal ? "" : undefined,
    "data-card-type": kind,
    "data-disabled": props.disabled ? "" : undefined,
  };
  return linkBox({
    attributes,
    target: href,
    newTab: props.newTab,
    title: props.title,
    parts: [props.children, props.cta],
    contentOf: (title) => contentOf(props, title),
  });
}

function contentOf(props: CardProps, title: ElementContent[] | JsxNode | undefined): JsxChild {
  const kind = calloutKindOf(props.type);
  const icon = props.icon ?? (kind && calloutIcon(kind));
  const arrow = !props.disabled && (props.arrow ?? props.href?.external ?? false);
  return [
    props.img && (
      <img
        class="card-image"
        data-component-part="card-image"
        src={props.img.src}
        alt=""
        width={props.img.width}
        height={props.img.height}
        loading="lazy"
      />
    ),
    <Part name="card-content-container">
      {icon && <Part name="card-icon">{tinted(icon, props.color)}</Part>}
      <div class="card-text">
        {(Array.isArray(title) ? hasContent(title) : title) && <Part name="card-title">{title}</Part>}
        {hasContent(props.children) && <Part name="card-content">{props.children}</Part>}
        {hasContent(props.cta) && (
          <Part name="card-cta">
            {props.cta} {controlIcon("arrowRight", 14)}
          </Part>
        )}
      </div>
      {arrow && <Part name="card-arrow">{controlIcon("external")}</Part>}
    </Part>,
  ];
}

export const card = component({
  stylesheet: "card",
  props: cardProps,
  container: ["title", "img", "icon"],
  render: Card,
});
