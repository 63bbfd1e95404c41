import type { ElementContent } from "hast";
import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { Disclosure } from "./parts/disclosure.js";
import { asPhrasing, hasContent } from "./parts/nodes.js";

interface AccordionProps extends CommonProps {
  readonly title?: ElementContent[];
  readonly description?: ElementContent[];
  readonly icon?: ElementContent;
  readonly defaultOpen?: boolean;
}

/** A question and its answer. The client opens it when the URL names its id, and puts the id in the URL. */
export function Accordion(props: AccordionProps) {
  return (
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
  );
}

export const accordion: Component = {
  props: { title: "label", description: "content", icon: "icon", defaultOpen: "boolean" },
  id: { from: ["title"], nested: true },
  render: Accordion,
};
