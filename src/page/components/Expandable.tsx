import type { JsxChild } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";
import { component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { Disclosure } from "./parts/disclosure.js";
import { asPhrasing, hasContent } from "./parts/nodes.js";

/**
 * The fields inside a field, folded under a title.
 *
 * For the client: with `data-prefix` the content is a link to another page. The fields of that page take its place; their
 * ids start with the prefix.
 */
export const expandable = component({
  props: {
    title: "label",
    defaultOpen: "boolean",
    /** Relative address of the page that has the fields. */
    source: "text",
    /** Start of the ids of the fields in this page. */
    prefix: "text",
  },
  render(props) {
    const { title, messages } = props;
    const source = modelPage.test(props.source ?? "") ? props.source : undefined;
    return (
      <Disclosure
        part="expandable"
        class={classes("expandable", props.className)}
        id={props.id}
        open={props.defaultOpen}
        prefix={source === undefined ? undefined : props.prefix}
        summary={
          <span class="expandable-title" data-component-part="expandable-title">
            {withVerb(messages, hasContent(title) ? asPhrasing(title) : messages.attributes)}
          </span>
        }
      >
        {source === undefined ? (
          props.children
        ) : (
          <p>
            <a href={source}>{asPhrasing(props.children)}</a>
          </p>
        )}
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

/** A relative address without a scheme: authors can write the component too. */
const modelPage = /^(?!\/)[^:?#\\]+$/;
