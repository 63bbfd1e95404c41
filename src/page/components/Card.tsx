import type { ElementContent } from "hast";
import type { JsxChild, JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { calloutKindOf } from "./Callout.js";
import { component, type PropsOf } from "./definition.js";
import { calloutIcon, classes, controlIcon, linkAttributes, StretchedLink } from "./shared/markup.js";
import { hasContent, hasInteractive } from "./shared/nodes.js";
import { tinted } from "./shared/tint.js";

const cardProps = {
  title: "label",
  icon: "icon",
  /** Of the icon. */
  color: "color",
  href: "href",
  horizontal: "boolean",
  img: "image",
  cta: "label",
  /** Shows or hides the arrow. By default, links to other hosts have one. */
  arrow: "boolean",
  /** A kind of callout that the card gets its colours from. */
  type: "text",
  disabled: "boolean",
  newTab: "boolean",
} as const;
type CardProps = PropsOf<typeof cardProps>;

/**
 * A framed link or note. With a `href` the whole card is one link; where HTML forbids that, only its title is.
 */
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
  if (href === undefined) return <div {...attributes}>{contentOf(props, props.title)}</div>;
  if (!hasInteractive(props.children) && !hasInteractive(props.title) && !hasInteractive(props.cta)) {
    return (
      <a {...attributes} {...linkAttributes(href, props.newTab)}>
        {contentOf(props, props.title)}
      </a>
    );
  }
  const title = <StretchedLink target={href} newTab={props.newTab} title={props.title} />;
  return <div {...attributes}>{contentOf(props, title)}</div>;
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
    <div class="card-content-container" data-component-part="card-content-container">
      {icon && (
        <div class="card-icon" data-component-part="card-icon">
          {tinted(icon, props.color)}
        </div>
      )}
      <div class="card-text">
        {(Array.isArray(title) ? hasContent(title) : title) && (
          <div class="card-title" data-component-part="card-title">
            {title}
          </div>
        )}
        {hasContent(props.children) && (
          <div class="card-content" data-component-part="card-content">
            {props.children}
          </div>
        )}
        {hasContent(props.cta) && (
          <div class="card-cta" data-component-part="card-cta">
            {props.cta} {controlIcon("arrowRight", 14)}
          </div>
        )}
      </div>
      {arrow && (
        <div class="card-arrow" data-component-part="card-arrow">
          {controlIcon("external")}
        </div>
      )}
    </div>,
  ];
}

export const card = component({ stylesheet: "card", props: cardProps, render: Card });
