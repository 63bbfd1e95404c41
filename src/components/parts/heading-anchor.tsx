import type { JsxNode } from "../../jsx/jsx-runtime.js";
import { controlIcon } from "./icons.js";

/** The link to the section it stands in, shown on hover and on focus. */
export function HeadingAnchor(props: { readonly id: string }): JsxNode {
  return (
    <a class="heading-anchor" href={`#${props.id}`} aria-label="Link to this section">
      {controlIcon("link")}
    </a>
  );
}
