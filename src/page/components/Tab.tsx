import type { ElementContent } from "hast";
import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { hasContent } from "./parts/nodes.js";

export interface TabProps extends CommonProps {
  readonly title?: ElementContent[];
  readonly icon?: ElementContent;
  readonly disabled?: boolean;
}

/** A tab outside `Tabs`: a titled part of the text. `Tabs` lays out its own. */
export function Tab(props: TabProps) {
  return (
    <div class={classes("tab-alone", props.className)} id={props.id}>
      {hasContent(props.title) && <div class="tab-alone-title">{props.title}</div>}
      {props.children}
    </div>
  );
}

export const tab: Component = {
  props: { title: "label", icon: "icon", disabled: "boolean" },
  id: { from: ["title"] },
  render: Tab,
};
