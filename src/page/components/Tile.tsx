import type { ElementContent } from "hast";
import type { JsxChild, JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { component, type PropsOf } from "./definition.js";
import { classes, linkBox, Part } from "./shared/markup.js";
import { hasContent } from "./shared/nodes.js";

const tileProps = { href: "href", title: "label", description: "content" } as const;
type TileProps = PropsOf<typeof tileProps>;

/** A link with a preview on a patterned background above its title. */
function Tile(props: TileProps): JsxNode {
  return linkBox({
    attributes: { class: classes("tile", props.className), id: props.id },
    target: props.href,
    title: props.title,
    parts: [props.children, props.description],
    contentOf: (title) => contentOf(props, title),
  });
}

function contentOf(props: TileProps, title: ElementContent[] | JsxNode | undefined): JsxChild {
  return [
    hasContent(props.children) && <Part name="tile-preview">{props.children}</Part>,
    title && <Part name="tile-title">{title}</Part>,
    hasContent(props.description) && <Part name="tile-description">{props.description}</Part>,
  ];
}

export const tile = component({ stylesheet: "tile", props: tileProps, render: Tile });
