import type { ElementContent } from "hast";
import type { CommonProps, ComponentDefinition } from "./definition.js";
import { classes } from "./parts/classes.js";
import { Disclosure } from "./parts/disclosure.js";
import { asPhrasing, hasContent } from "./parts/nodes.js";

interface ExpandableProps extends CommonProps {
  readonly title?: ElementContent[];
  readonly defaultOpen?: boolean;
}

/** The fields inside a field. The style sheet puts "Show" or "Hide" before the title. */
export function Expandable(props: ExpandableProps) {
  return (
    <Disclosure
      part="expandable"
      class={classes("expandable", props.className)}
      id={props.id}
      open={props.defaultOpen}
      summary={
        <span class="expandable-title" data-component-part="expandable-title">
          {hasContent(props.title) ? asPhrasing(props.title) : "child attributes"}
        </span>
      }
    >
      {props.children}
    </Disclosure>
  );
}

export const expandable: ComponentDefinition = {
  name: "Expandable",
  props: { title: "label", defaultOpen: "boolean" },
  render: Expandable,
};
