import type { ElementContent } from "hast";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { LinkTarget } from "../definition.js";
import { asPhrasing, hasContent } from "./nodes.js";

/** Attributes of an `a`; a link to another host opens a new tab unless `newTab` says otherwise. */
export function linkAttributes(target: LinkTarget, newTab: boolean = target.external) {
  return newTab ? { href: target.href, target: "_blank", rel: "noopener noreferrer" } : { href: target.href };
}

/**
 * The link of a box that cannot be an `a`, because it contains links or controls: only the title is the link, and the
 * style sheet stretches it over the box. Without a title it shows the address.
 */
export function StretchedLink(props: {
  readonly target: LinkTarget;
  readonly newTab?: boolean;
  readonly title?: readonly ElementContent[];
}): JsxNode {
  const { target, title } = props;
  return (
    <a class="stretched-link" {...linkAttributes(target, props.newTab)}>
      {title && hasContent(title) ? asPhrasing(title) : target.href}
    </a>
  );
}
