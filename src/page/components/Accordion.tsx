import { component } from "./definition.js";
import { classes, Disclosure, Part } from "./shared/markup.js";
import { asPhrasing, hasContent } from "./shared/nodes.js";

/** A question and its answer. The client opens it if the URL contains its id, and writes the id to the URL. */
export const accordion = component({
  props: { title: "label", description: "content", icon: "icon", defaultOpen: "boolean" },
  id: { from: ["title"], nested: true },
  required: ["title"],
  container: [],
  render: (props) => (
    <Disclosure
      part="accordion"
      class={classes("accordion", props.className)}
      id={props.id}
      open={props.defaultOpen}
      summary={[
        props.icon && (
          <Part as="span" name="accordion-icon">
            {props.icon}
          </Part>
        ),
        <Part as="span" name="accordion-title-container">
          <Part as="span" name="accordion-title">
            {hasContent(props.title) ? asPhrasing(props.title) : props.messages.details}
          </Part>{" "}
          {hasContent(props.description) && (
            <Part as="span" name="accordion-description">
              {asPhrasing(props.description)}
            </Part>
          )}
        </Part>,
      ]}
    >
      {props.children}
    </Disclosure>
  ),
});

/** Accordions in one frame. Each opens independently. */
export const accordionGroup = component({
  distinct: "Accordion",
  contains: ["Accordion"],
  props: {},
  container: [],
  render: (props) => <div class={classes("accordion-group", props.className)}>{props.children}</div>,
});
