import type { JsxChild } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";
import { component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { Disclosure } from "./parts/disclosure.js";
import { asPhrasing, hasContent } from "./parts/nodes.js";

/** The fields inside a field, folded under a title. */
export const expandable = component({
  props: { title: "label", defaultOpen: "boolean" },
  render(props) {
    const { title, messages } = props;
    return (
      <Disclosure
        part="expandable"
        class={classes("expandable", props.className)}
        id={props.id}
        open={props.defaultOpen}
        summary={
          <span class="expandable-title" data-component-part="expandable-title">
            {withVerb(messages, hasContent(title) ? asPhrasing(title) : messages.attributes)}
          </span>
        }
      >
        {props.children}
      </Disclosure>
    );
  },
});

/** `Show` and `Hide`, before or after the title depending on the language; the style sheet shows one of them. */
function withVerb({ show, hide }: Messages, title: JsxChild): JsxChild {
  const [showBefore, showAfter] = show.split("%");
  const [hideBefore, hideAfter] = hide.split("%");
  return [
    showBefore && <span class="when-closed">{showBefore}</span>,
    hideBefore && <span class="when-open">{hideBefore}</span>,
    title,
    showAfter && <span class="when-closed">{showAfter}</span>,
    hideAfter && <span class="when-open">{hideAfter}</span>,
  ];
}
