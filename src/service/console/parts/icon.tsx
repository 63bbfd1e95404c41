import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import paths from "../icons.json" with { type: "json" };

export type IconName = keyof typeof paths;

/** An outline of 24 units in the colour of the text. What it says is in the text next to it. */
export function Icon({ name }: { readonly name: IconName }): JsxNode {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
