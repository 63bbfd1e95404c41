import type { ElementContent } from "hast";
import type { JsxChild, JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { CommonProps, Component, LinkTarget } from "./definition.js";
import { classes } from "./parts/classes.js";
import { linkAttributes, StretchedLink } from "./parts/link.js";
import { hasContent, hasInteractive } from "./parts/nodes.js";

interface TileProps extends CommonProps {
  readonly href?: LinkTarget;
  readonly title?: ElementContent[];
  readonly description?: ElementContent[];
}

/** A link with a preview on a patterned background above its title. */
export function Tile(props: TileProps): JsxNode {
  const { href, title } = props;
  const attributes = { class: classes("tile", props.className), id: props.id };
  if (href === undefined) return <div {...attributes}>{contentOf(props, title)}</div>;
  if ([props.children, title, props.description].some(hasInteractive)) {
    return <div {...attributes}>{contentOf(props, <StretchedLink target={href} title={title} />)}</div>;
  }
  return (
    <a {...attributes} {...linkAttributes(href)}>
      {contentOf(props, title)}
    </a>
  );
}

function contentOf(props: TileProps, title: ElementContent[] | JsxNode | undefined): JsxChild {
  return [
    hasContent(props.children) && (
      <div class="tile-preview" data-component-part="tile-preview">
        {props.children}
      </div>
    ),
    title && (
      <div class="tile-title" data-component-part="tile-title">
        {title}
      </div>
    ),
    hasContent(props.description) && (
      <div class="tile-description" data-component-part="tile-description">
        {props.description}
      </div>
    ),
  ];
}

export const tile: Component = {
  stylesheet: "tile",
  props: { href: "href", title: "label", description: "content" },
  render: Tile,
};
