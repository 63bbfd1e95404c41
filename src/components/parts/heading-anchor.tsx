import type { JsxNode } from "../../jsx/jsx-runtime.js";
import { controlIcon } from "./icons.js";
import { fragmentOf } from "./link.js";

/** The link to the section it stands in, shown on hover and on focus. */
export function HeadingAnchor(props: { readonly id: string; readonly label: string }): JsxNode {
  return (
    <a class="heading-anchor" href={fragmentOf(props.id)} aria-label={`Link to this section: ${props.label}`}>
      {controlIcon("link")}
    </a>
  );
}
