import type { ElementContent } from "hast";
import { component } from "./definition.js";
import { classes, Part } from "./shared/markup.js";
import { hasContent, isElement } from "./shared/nodes.js";

/** An image in a frame, with a hint above and a caption below. */
export const frame = component({
  stylesheet: "frame",
  container: [],
  props: {
    caption: "content",
    hint: "content",
    /** Aliases of `caption` and `hint`. */
    description: "content",
    title: "content",
  },
  render(props) {
    const hint = hasContent(props.hint) ? props.hint : props.title;
    const caption = hasContent(props.caption) ? props.caption : props.description;
    return (
      <figure class={classes("frame", props.className)} id={props.id}>
        {hasContent(hint) && <Part name="frame-hint">{hint}</Part>}
        <Part name="frame-content">{props.children.map(withLoopingVideo)}</Part>
        {hasContent(caption) && (
          <figcaption class="frame-caption" data-component-part="frame-caption">
            {caption}
          </figcaption>
        )}
      </figure>
    );
  },
});

/** Browsers play an autoplaying video only if it is muted and inline. */
function withLoopingVideo(node: ElementContent): ElementContent {
  if (!isElement(node)) return node;
  if (/^(?:p|span|template)$/.test(node.tagName)) return { ...node, children: node.children.map(withLoopingVideo) };
  if (node.tagName !== "video" || node.properties["autoPlay"] !== true) return node;
  return { ...node, properties: { loop: true, muted: true, playsInline: true, ...node.properties } };
}
