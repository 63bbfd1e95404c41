import { component } from "./definition.js";
import { classes, Disclosure } from "./shared/markup.js";
import { asPhrasing, hasContent } from "./shared/nodes.js";

/** A question and its answer. The client opens it when the URL names its id, and puts the id in the URL. */
export const accordion = component({
  props: { title: "label", description: "content", icon: "icon", defaultOpen: "boolean" },
  id: { from: ["title"], nested: true },
  render: (props) => (
    <Disclosure
      part="accordion"
      class={classes("accordion", props.className)}
      id={props.id}
      open={props.defaultOpen}
      summary={[
        props.icon && (
          <span class="accordion-icon" data-component-part="accordion-icon">
            {props.icon}
          </span>
        ),
        <span class="accordion-title-container" data-component-part="accordion-title-container">
          <span class="accordion-title" data-component-part="accordion-title">
            {hasContent(props.title) ? asPhrasing(props.title) : props.messages.details}
          </span>{" "}
          {hasContent(props.description) && (
            <span class="accordion-description" data-component-part="accordion-description">
              {asPhrasing(props.description)}
            </span>
          )}
        </span>,
      ]}
    >
      {props.children}
    </Disclosure>
  ),
});

/** Accordions in one frame. Each opens independently. */
export const accordionGroup = component({
  props: {},
  render: (props) => <div class={classes("accordion-group", props.className)}>{props.children}</div>,
});
