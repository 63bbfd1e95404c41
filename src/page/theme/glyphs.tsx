import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import paths from "./glyphs.json" with { type: "json" };

export type GlyphName = keyof typeof paths;

/** A glyph of the theme's own controls: 24 units, 2 wide, round ends. */
export function Glyph({ name, className }: { readonly name: GlyphName; readonly className?: string }): JsxNode {
  return (
    <svg
      class={className ? `drawing ${className}` : "drawing"}
      viewBox="0 0 24 24"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
