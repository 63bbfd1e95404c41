import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { fill, type Messages } from "../../../lib/language/index.js";
import { fragmentOf } from "../../../lib/url/index.js";

/** The link of a heading to its own section, shown on hover and on focus. */
export function HeadingAnchor(props: {
  readonly id: string;
  readonly label: string;
  readonly messages: Messages;
}): JsxNode {
  return (
    <a
      class="heading-anchor"
      href={fragmentOf(props.id)}
      aria-label={fill(props.messages.linkToSection, props.label)}
    />
  );
}
