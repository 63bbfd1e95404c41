/**
 * A written colour without a style attribute: SVG has presentation attributes for colours, which a strict content
 * security policy allows.
 */
import type { ElementContent } from "hast";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { raw } from "../../../lib/jsx/raw.js";
import { isCssColor } from "./css-color.js";

/** The icon in a colour. Unchanged without a colour, or if it is an image, which has its own colours. */
export function tinted(icon: ElementContent, color: string | undefined): ElementContent {
  if (color === undefined || !isCssColor(color)) return icon;
  if (icon.type === "raw") return raw(icon.value.replace(/^\s*<svg\b/, `<svg color="${color}"`));
  if (icon.type !== "element" || icon.tagName !== "svg") return icon;
  return { ...icon, properties: { ...icon.properties, color } };
}

/** A pale background and an outline in a colour, filling the nearest positioned box. */
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
