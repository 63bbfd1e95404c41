/**
 * Applies colours that authors choose by presentation attributes of SVG, because a strict content security policy
 * forbids `style` attributes.
 */
import type { ElementContent } from "hast";
import { parseHex, readableOn, toHex } from "../../../lib/color.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { raw } from "../../../lib/jsx/raw.js";

/** Colours an icon; images keep their own colours. */
export function tinted(icon: ElementContent, color: string | undefined): ElementContent {
  if (color === undefined || !isCssColor(color)) return icon;
  const visible = visibleColor(color);
  if (icon.type === "raw") return raw(icon.value.replace(/^\s*<svg\b/, `<svg color="${visible}"`));
  if (icon.type !== "element" || icon.tagName !== "svg") return icon;
  return { ...icon, properties: { ...icon.properties, color: visible } };
}

/** The page backgrounds of themes on which colours have the least contrast. */
const grounds = { light: parseHex("#f2f1ec")!, dark: parseHex("#201e1c")! };

/** The colour, or the nearest shade for each mode that has the contrast of 3 that WCAG requires for icons. */
function visibleColor(color: string): string {
  const written = parseHex(color);
  if (!written) return color;
  const light = readableOn(written, [grounds.light], 3);
  const dark = readableOn(written, [grounds.dark], 3);
  return light === written && dark === written ? color : `light-dark(${toHex(light)},${toHex(dark)})`;
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

export const colorForms =
  /^(?:#(?:[\da-f]{3,4}){1,2}|[a-z]+|var\(--[\w-]+\)|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([\w\s.,%/+-]*\))$/i;

/** Whether the text has the form of a CSS colour, so that it cannot load anything or end the attribute. */
export const isCssColor = (text: string): boolean => text.length <= 100 && colorForms.test(text.trim());
