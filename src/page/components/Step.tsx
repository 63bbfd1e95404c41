import type { ElementContent } from "hast";
import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { HeadingAnchor } from "./parts/heading-anchor.js";
import { asPhrasing, hasContent, labelOf } from "./parts/nodes.js";

export interface StepProps extends CommonProps {
  readonly title?: ElementContent[];
  readonly icon?: ElementContent;
  readonly stepNumber?: number;
  /** The element of the title: `p`, `h2`, `h3` or `h4`. */
  readonly titleSize?: string;
  readonly noAnchor?: boolean;
}

const headingTags = ["h2", "h3", "h4"];

/** The content of a step's `li`: its mark (the style sheet writes the number), title and text. */
export function StepBody(props: StepProps): JsxNode[] {
  const isHeading = headingTags.includes(props.titleSize ?? "");
  const Title = isHeading ? props.titleSize! : "p";
  return [
    <div
      class="step-number"
      data-component-part="step-number"
      data-number={props.icon ? undefined : props.stepNumber}
      aria-hidden="true"
    >
      {props.icon}
    </div>,
    <div class="step-body">
      {hasContent(props.title) && (
        <Title class="step-title" data-component-part="step-title">
          {asPhrasing(props.title)}
          {isHeading && !props.noAnchor && props.id && (
            <HeadingAnchor id={props.id} label={labelOf(props.title)} messages={props.messages} />
          )}
        </Title>
      )}
      <div class="step-content" data-component-part="step-content">
        {props.children}
      </div>
    </div>,
  ];
}

/** A step outside `Steps`, which lays out its own. */
export function Step(props: StepProps) {
  return (
    <div class={classes("step", props.className)} id={props.id}>
      {StepBody(props)}
    </div>
  );
}

export const step: Component = {
  stylesheet: "step",
  props: { title: "label", icon: "icon", stepNumber: "number", titleSize: "text", noAnchor: "boolean" },
  id: {
    from: ["title"],
    toc: (props) => {
      const level = headingTags.indexOf(String(props["titleSize"]));
      return level < 0 ? undefined : level + 2;
    },
  },
  render: Step,
};
