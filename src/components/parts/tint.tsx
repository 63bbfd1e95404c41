/**
 * A colour that the writer chose, without a style attribute: SVG takes colours as presentation attributes, which a
 * strict content security policy lets pass.
 */
import type { ElementContent } from "hast";
import type { JsxNode } from "../../jsx/jsx-runtime.js";

/** The icon in a colour; as it is if there is none, or if it is a picture, which has its own colours. */
export function TintedIcon(props: { readonly icon: ElementContent; readonly color?: string; readonly size: number }) {
  const { icon, color, size } = props;
  const isDrawing =
    icon.type === "element" ? icon.tagName === "svg" : icon.type === "raw" && /^\s*<svg/.test(icon.value);
  if (color === undefined || !isDrawing) return icon;
  return (
    <svg class="tinted" width={size} height={size} color={color} aria-hidden="true">
      {icon}
    </svg>
  );
}

/** A pale ground and an outline in a colour, filling the nearest positioned box. */
export function TintedGround(props: { readonly color: string }): JsxNode {
  return (
    <svg class="tinted-ground" width="100%" height="100%" aria-hidden="true">
      <rect
        width="100%"
        height="100%"
        fill={props.color}
        fill-opacity="0.08"
        stroke={props.color}
        stroke-opacity="0.5"
      />
    </svg>
  );
}
